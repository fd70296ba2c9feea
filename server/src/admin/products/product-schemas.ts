import { z } from 'zod'
import { FORWARD_ACCESS, GATEWAYS, ID_TOKEN_ALGS, METHODS, OPENID_KINDS, PKCE, SCOPES } from '../../products/index.ts'
import { FOREIGNERS, REQUIREMENTS } from '../../users/index.ts'
import { listQuery } from '../api/list.ts'
import { reason } from '../users/user-schemas.ts'

const time = z.iso.datetime().nullable()
const MAX_URIS = 200
const MAX_GRACE_DAYS = 60

const audience = z.enum(['internal', 'external']).describe('external: gets tokens of its own alone')
const checkout = z.enum(['integrated', 'external']).describe('integrated: the operator sells; external: the app does')
const handoff = z.enum(['eg_session', 'eg_token'])
const scopes = z.array(z.enum(SCOPES)).max(SCOPES.length)
const requires = z
  .array(z.enum(REQUIREMENTS))
  .max(REQUIREMENTS.length)
  .describe('what it asks of whoever signs in to it, besides their name; nothing where it is empty')
const foreigners = z
  .enum(FOREIGNERS)
  .describe(
    'someone without a CPF or CNPJ, where tax_id is required: refused; gives a document of another country; exempt, goes on without',
  )
const paymentMethods = z.array(z.strictObject({ method: z.enum(METHODS), gateway: z.enum(GATEWAYS) })).max(METHODS.length)
const MAX_HOSTS = 100
const MAX_PLANS = 50
const forwardAuth = z
  .strictObject({
    access: z.enum(FORWARD_ACCESS).describe('signed_in: everyone; any_plan: with any plan; plans: with one of the plans'),
    plans: z.array(z.string()).max(MAX_PLANS).describe('slugs; empty unless access is plans'),
    hosts: z.array(z.string()).max(MAX_HOSTS).describe('hosts below the internal domain, as in wiki.example.com'),
  })
  .nullable()
  .describe('for a product behind a proxy that asks /auth/forward; null: no proxy may ask for it')
const days = z.int().min(0).max(MAX_GRACE_DAYS)

const uriList = z.array(z.string().max(1_000)).max(50)
const openid = z.strictObject({
  kind: z.enum(OPENID_KINDS).describe('web: has a server, which keeps the secret'),
  pkce: z.enum(PKCE),
  id_token_alg: z.enum(ID_TOKEN_ALGS),
  post_logout_uris: uriList.describe('where a sign-out may lead'),
  resources: uriList.describe('the APIs for which it may request access tokens'),
})

export const productSchema = z
  .object({
    id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    audience,
    checkout,
    handoff,
    scopes,
    requires,
    foreigners,
    query_key_allowed: z.boolean().describe('whether the API key may also be a query input of check-access'),
    openid: openid.nullable().describe('how it speaks OpenID Connect; null: not at all'),
    backchannel_logout_uri: z.string().nullable().describe('the address that is notified of ended sessions'),
    publishable_key: z.string(),
    created_at: time,
  })
  .meta({ id: 'Product' })

const gatewayState = z.object({
  gateway: z.enum(GATEWAYS),
  webhook_url: z.string().nullable().describe('what to register there; for owners'),
  credentials: z.enum(['live', 'test']).nullable(),
  last_delivery_at: time,
  verification_failures: z.int(),
  failing_since: time.describe('the first delivery with a failed verification after which none had the right one'),
  last_verification_failure_at: time,
  unresolved: z.int(),
  awaiting_gateway: z.int(),
  failed: z.int(),
})

export const productDetailsSchema = productSchema
  .extend({
    webhook_key: z.string().nullable().describe('the newest live one; for owners'),
    redirect_uris: z.array(z.object({ uri: z.string(), trusted: z.boolean() })),
    api_keys: z.array(z.object({ id: z.uuid(), hint: z.string(), created_at: time, revoked_at: time, last_used_at: time })),
    webhook_keys: z.array(
      z.object({ id: z.uuid(), hint: z.string(), key: z.string().nullable().describe('for owners'), created_at: time, revoked_at: time }),
    ),
    payment_methods: paymentMethods,
    gateway_credentials: z.array(
      z.object({ gateway: z.enum(GATEWAYS), is_test: z.boolean(), api_url: z.string().nullable(), created_at: time, updated_at: time }),
    ),
    grace_days: z.record(z.enum(METHODS), days),
    forward_auth: forwardAuth,
    gateways: z.array(gatewayState),
  })
  .meta({ id: 'ProductDetails' })

export const productListQuery = listQuery(
  { sorts: ['name', 'slug', 'created_at'], usual: 'name' },
  {
    q: z.string().trim().min(1).max(100).optional().describe('a part of the slug or the name'),
    audience: audience.optional(),
    checkout: checkout.optional(),
  },
)

const redirectUris = z.array(z.strictObject({ uri: z.string(), trusted: z.boolean().optional() })).max(MAX_URIS)

export const createProductBody = z.strictObject({
  slug: z.string(),
  name: z.string(),
  audience,
  checkout,
  handoff: handoff.optional().describe('external products always get eg_token'),
  scopes: scopes.optional().describe('all of them where none are given'),
  requires: requires.optional().describe('all of it where none is given'),
  foreigners: foreigners.optional(),
  query_key_allowed: z.boolean().optional(),
  redirect_uris: redirectUris.optional(),
  openid: openid.partial().optional().describe('with a kind; absent: it does not speak OpenID Connect'),
  forward_auth: forwardAuth.optional(),
  reason: reason.optional(),
})

export const changeProductBody = z.strictObject({
  name: z.string().optional(),
  checkout: checkout.optional(),
  handoff: handoff.optional(),
  scopes: scopes.optional(),
  requires: requires.optional(),
  foreigners: foreigners.optional(),
  query_key_allowed: z.boolean().optional(),
  openid: openid.partial().nullable().optional().describe('an absent part stays as it is; null turns it off'),
  backchannel_logout_uri: z.string().max(1_000).nullable().optional(),
  redirect_uris: redirectUris.optional().describe('all of them as they are to be: one that is left out is removed'),
  payment_methods: paymentMethods
    .refine((entries) => new Set(entries.map(({ method }) => method)).size === entries.length)
    .optional()
    .describe('all of them as they are to be; each method once'),
  grace_days: z.strictObject({ pix: days.optional(), boleto: days.optional(), card: days.optional() }).optional(),
  forward_auth: forwardAuth.optional(),
  reason: reason.optional(),
})

export const checkUriBody = z.strictObject({
  uri: z.string().max(10_000),
  product_id: z.string().max(64).optional().describe('whose it is to be'),
  openid_kind: z.enum(OPENID_KINDS).optional().describe('of the product that is about to be made'),
})

export const checkedUriSchema = z
  .object({
    ok: z.boolean(),
    refusal: z.string().nullable().describe('a word for what stands against it, as `fragment`'),
    says: z.string().nullable().describe('the same as a sentence'),
    use: z.string().nullable().describe('the form to register instead'),
    on_domain: z
      .boolean()
      .nullable()
      .describe('whether it is on the internal domain: else an internal product gets no token there, unless it is trusted'),
    registered_for: z.string().nullable().describe('the slug of the product that has it already'),
  })
  .meta({ id: 'CheckedRedirectUri' })
