import { z } from 'zod'
import { EVENT_TYPES } from '../../../app-events/index.ts'
import { PROVIDER_KINDS } from '../../../identity-providers/index.ts'
import { FORWARD_ACCESS, GATEWAYS, ID_TOKEN_ALGS, METHODS, OPENID_KINDS, PKCE, SCOPES } from '../../../products/index.ts'
import { BELOW_PRICE } from '../../../subscriptions/index.ts'
import { FOREIGNERS, REQUIREMENTS } from '../../../users/index.ts'
import { name, secret, setOf, text } from './values.ts'

/** The form of the file. A later form gets another number. */
export const FORM = 1
/** The manager of the objects that a file without `managed_by` declares. */
export const USUAL_MANAGER = 'config'

const plan = z
  .strictObject({
    name: text,
    price: z.int().min(0).describe('in centavos'),
    below_price: z.enum(BELOW_PRICE).describe('what becomes of a payment below the price'),
    gateway_refs: z.partialRecord(z.enum(GATEWAYS), setOf(text.min(1))).describe('the names by which gateways sell it; all of them'),
  })
  .partial()

const openid = z
  .strictObject({
    kind: z.enum(OPENID_KINDS),
    pkce: z.enum(PKCE),
    id_token_alg: z.enum(ID_TOKEN_ALGS),
    post_logout_uris: setOf(text),
    resources: setOf(text),
  })
  .partial()

const forwardAuth = z.strictObject({ access: z.enum(FORWARD_ACCESS), plans: setOf(text), hosts: setOf(text) }).partial()

/** An image stands beside the file. It is compared by its content. */
const image = z
  .strictObject({ file: text.min(1) })
  .nullable()
  .describe('an SVG or a PNG beside this file; null: none')

const appearance = z
  .strictObject({
    name: text.nullable(),
    accent: text.nullable().describe('as "#1a4fd6"'),
    logo_light: image,
    logo_dark: image,
    favicon: image,
    touch_icon: image.describe('a square PNG beside this file; null: none'),
    sender_name: text.nullable(),
    reply_to: text.nullable(),
    support_url: text.nullable(),
    terms_url: text.nullable(),
    privacy_url: text.nullable(),
    footer: text.nullable(),
  })
  .partial()
  .nullable()

const reports = z
  .strictObject({ time_zone: text.describe('of the operator’s days, as "America/Manaus"; another one has all figures counted anew') })
  .partial()

const endpoint = z
  .strictObject({
    url: text,
    types: setOf(z.enum(EVENT_TYPES)),
    description: text,
    secret: secret.describe('whsec_… of one’s own; without it a new endpoint gets one, which is shown once'),
  })
  .partial()

const product = z
  .strictObject({
    name: text,
    audience: z.enum(['internal', 'external']).describe('a product that is there keeps its own'),
    checkout: z.enum(['integrated', 'external']),
    handoff: z.enum(['eg_session', 'eg_token']),
    scopes: setOf(z.enum(SCOPES)),
    requires: setOf(z.enum(REQUIREMENTS)),
    foreigners: z.enum(FOREIGNERS),
    query_key_allowed: z.boolean(),
    redirect_uris: setOf(z.union([text, z.strictObject({ uri: text, trusted: z.boolean() })])).describe('all of them'),
    backchannel_logout_uri: text.nullable(),
    openid: openid.nullable(),
    forward_auth: forwardAuth.nullable(),
    payment_methods: z.partialRecord(z.enum(METHODS), z.enum(GATEWAYS)).describe('which gateway takes which method; all of them'),
    grace_days: z.partialRecord(z.enum(METHODS), z.int().min(0).max(60)),
    plans: z.record(name, plan),
    endpoints: z.record(name, endpoint),
    appearance: appearance.describe('of its own; a field that is null is the operator’s, and null empties all'),
  })
  .partial()

const provider = z
  .strictObject({
    name: text,
    kind: z.enum(PROVIDER_KINDS).describe('openid where it is not named; a provider that is there keeps its own'),
    issuer: text.describe('a provider that is there keeps its own'),
    client_id: text.describe('a provider that is there keeps its own'),
    client_secret: secret,
    authoritative_for: setOf(text).describe('mail domains; * for any'),
    access_token_audience: text.nullable(),
  })
  .partial()

/** A file of settings. Settings that it does not name stay as they are. */
export const configurationSchema = z
  .strictObject({
    portaria: z.literal(FORM).describe('the form of this file'),
    managed_by: name.optional().describe(`who manages what stands here; ${USUAL_MANAGER} where it is not named`),
    appearance: appearance.optional().describe('of all pages and mails; a field that is null is the built-in one, and null empties all'),
    reports: reports.optional(),
    products: z.record(name, product).optional(),
    plans: z.record(name, plan).optional().describe('the operator’s'),
    identity_providers: z.record(name, provider).optional(),
    endpoints: z.record(name, endpoint).optional().describe('the operator’s, by names of your own'),
  })
  .meta({ title: 'Settings of Portaria' })

/** The form of a file of settings as a JSON Schema, which editors read. */
export function writeSettingsSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(configurationSchema, { io: 'input' }), undefined, 2)}\n`
}

/** A file of settings as it was read. A secret is still the place where it is kept. */
export type Configuration = z.output<typeof configurationSchema>
export type ProductConfiguration = z.output<typeof product>
export type AppearanceConfiguration = z.output<typeof appearance>
export type PlanConfiguration = z.output<typeof plan>
export type ProviderConfiguration = z.output<typeof provider>
export type EndpointConfiguration = z.output<typeof endpoint>
export type SecretPlace = z.output<typeof secret>

/** The secrets that a file names, by the path of their field: `identity_providers.google.client_secret`. */
export type Secrets = ReadonlyMap<string, string>
