import { z } from 'zod'
import { FORWARD_ACCESS, GATEWAYS, ID_TOKEN_ALGS, METHODS, OPENID_KINDS, PKCE, SCOPES } from '../../../products/index.ts'
import { FOREIGNERS, REQUIREMENTS } from '../../../users/index.ts'

const MAX_URIS = 200
const MAX_GRACE_DAYS = 60

export const audience = z.enum(['internal', 'external']).describe('external: gets tokens of its own alone')
export const checkout = z.enum(['integrated', 'external']).describe('integrated: the operator sells; external: the app does')
export const handoff = z.enum(['eg_session', 'eg_token'])
export const scopes = z.array(z.enum(SCOPES)).max(SCOPES.length)
export const requires = z
  .array(z.enum(REQUIREMENTS))
  .max(REQUIREMENTS.length)
  .describe('what it asks of whoever signs in to it, besides their name; nothing where it is empty')
export const foreigners = z
  .enum(FOREIGNERS)
  .describe(
    'someone without a CPF or CNPJ, where tax_id is required: refused; gives a document of another country; exempt, goes on without',
  )
export const paymentMethods = z.array(z.strictObject({ method: z.enum(METHODS), gateway: z.enum(GATEWAYS) })).max(METHODS.length)
const MAX_HOSTS = 100
const MAX_PLANS = 50
export const forwardAuth = z
  .strictObject({
    access: z.enum(FORWARD_ACCESS).describe('signed_in: everyone; any_plan: with any plan; plans: with one of the plans'),
    plans: z.array(z.string()).max(MAX_PLANS).describe('slugs; empty unless access is plans'),
    hosts: z.array(z.string()).max(MAX_HOSTS).describe('hosts below the internal domain, as in wiki.example.com'),
  })
  .nullable()
  .describe('for a product behind a proxy that asks /auth/forward; null: no proxy may ask for it')
export const days = z.int().min(0).max(MAX_GRACE_DAYS)

const uriList = z.array(z.string().max(1_000)).max(50)
export const openid = z.strictObject({
  kind: z.enum(OPENID_KINDS).describe('web: has a server, which keeps the secret'),
  pkce: z.enum(PKCE),
  id_token_alg: z.enum(ID_TOKEN_ALGS),
  post_logout_uris: uriList.describe('where a sign-out may lead'),
  resources: uriList.describe('the APIs for which it may request access tokens'),
})

export const redirectUris = z.array(z.strictObject({ uri: z.string(), trusted: z.boolean().optional() })).max(MAX_URIS)
