import {
  type AdminTokenRefusal,
  type JobRefusal,
  type MasterKeyRefusal,
  type PasswordRefusal,
  redirectUriSentence,
  type WebhookTestRefusal,
} from '../../admin/index.ts'
import type { EndpointRefusal } from '../../event-delivery/index.ts'
import type { ForwardAuthRefusal } from '../../forward-auth/index.ts'
import type { SecretRefusal } from '../../gateways/index.ts'
import type { ProviderRefusal } from '../../identity-providers/index.ts'
import type { ResolveRefusal, Unresolved } from '../../notifications/index.ts'
import type { GatewaySecretsRefusal, ProductRefusal } from '../../products/index.ts'
import type { PlanRefusal, SubscriptionRefusal } from '../../subscriptions/index.ts'
import type { UserRefusal } from '../../users/index.ts'

type RefusalName<R extends { refusal: string }> = R['refusal']

const SLUG = 'use lower-case letters, digits and hyphens, 64 at most, beginning and ending with a letter or digit'
const NAME = 'the name must be one line of text'

const accounts = {
  email_malformed: 'this is no email address: give one like ana@example.com',
  name_malformed: `${NAME}, 200 characters at most`,
  email_taken: 'an account with this address exists: see it with `portaria user show EMAIL`, change it with `portaria user set EMAIL`',
  avatar_malformed: 'the avatar must be an https:// address, 2048 characters at most',
  not_found: 'there is no such user: find the address or id with `portaria user list`',
  changed_meanwhile: 'the account was changed by someone else meanwhile: look at it again',
  last_owner: 'this is the last enabled owner: make another first, with `portaria user set EMAIL --role owner`',
} as const satisfies Record<RefusalName<UserRefusal>, string>

const passwords = {
  too_short: 'the password is too short: 8 characters or more',
  too_long: 'the password is too long: 1024 bytes at most',
  busy: 'too many passwords are being hashed: try again in a moment',
} as const satisfies Record<RefusalName<PasswordRefusal>, string>

const products = {
  slug_malformed: `this slug can't be used: ${SLUG}`,
  slug_taken: 'a product with this slug exists: choose another, or change that one with `portaria product set SLUG`',
  name_malformed: `${NAME}, 100 characters at most`,
  trusted_needs_internal: 'only an internal product can have trusted addresses: an external one never gets the session of the domain',
  handoff_needs_internal: 'an external product always gets eg_token',
  matrix_needs_integrated:
    'this product has a checkout of its own, so there is no matrix: `product set --checkout integrated` changes that',
  not_found: 'there is no such product, or it has no such address: see `portaria product list` and `portaria product show SLUG`',
  changed_meanwhile: 'the product was changed by someone else meanwhile: look at it again',
  openid_off: 'this product does not speak OpenID Connect yet: add --openid web, browser or native',
  pkce_needs_web: 'only an app of the kind web keeps a secret: for the others PKCE is always required',
  documents_need_native: 'clients that describe themselves keep no secret: only a product of the kind native takes them',
  too_many_openid_uris: 'a product has at most 50 addresses to return to after a sign-out, and 50 resources',
  resource_refused: 'a resource must be an absolute URI without a fragment, like https://api.example.com/',
} as const satisfies Record<Exclude<RefusalName<ProductRefusal>, 'uri_taken' | 'uri_refused'>, string>

const forwardAuth = {
  forward_auth_needs_internal:
    'an external product can not stand behind a proxy that asks Portaria: the proxy would pass the session of the domain on to it',
  plans_missing: 'no plan is named: give `--forward-auth plan=SLUG`, or any-plan',
  too_many_hosts: 'a product has 100 hosts at most',
} as const

const forwardedHosts = {
  host_malformed: 'is no host in normal form: lower-case letters, digits, hyphens and dots, with a port only where it is not the usual one',
  host_off_domain: 'is not below the internal domain: browsers send the session to no other host, so nobody could ever enter',
  host_is_own: "is Portaria's own host",
  host_taken: 'is registered for another product: a host belongs to one',
  host_not_found: 'is no host of this product: see `portaria product show SLUG`',
} as const satisfies Record<Extract<ForwardAuthRefusal, { host: string }>['refusal'], string>

const SECRETS_FORM = '{"webhook_secret": "…", "access_token": "…"}'
const SECRET_FORM = 'must be text of 8 to 500 characters without spaces, as the gateway shows it'

const KEY_SET_FORM = '{"account_id": "acc_…", "jwks": {"keys": […]}}'

const gatewaySecrets = {
  not_an_object: `standard input must hold one JSON object: ${SECRETS_FORM}`,
  webhook_secret_malformed: `webhook_secret ${SECRET_FORM}`,
  access_token_malformed: `access_token ${SECRET_FORM}`,
  secret_not_an_object: `webhook_secret must be ${KEY_SET_FORM}, as an object or as its text`,
  account_malformed: "the webhook_secret's account_id must be the account's id, acc_…, as deliveries and the dashboard show it",
  keys_malformed: `the webhook_secret's jwks must be the gateway's key set as it is published: webhook_secret is ${KEY_SET_FORM}`,
  keys_unusable: 'none of the keys in the webhook_secret can verify anything: RSA keys of 2048 bits or more, with kid, n and e, are needed',
} as const satisfies Record<Exclude<RefusalName<GatewaySecretsRefusal>, 'unknown_key'> | SecretRefusal, string>

const plans = {
  slug_malformed: `this slug can't be used: ${SLUG}`,
  name_malformed: `${NAME}, 100 characters at most`,
  price_malformed: 'the price must be whole centavos, as in 4900 for R$ 49,00',
  no_such_product: 'there is no such product: find its slug with `portaria product list`',
  slug_taken: 'a plan with this slug exists: choose another, or change that one with `portaria plan set`',
  not_found: 'there is no such plan: see `portaria plan list`',
  changed_meanwhile: 'the plan was changed by someone else meanwhile: look at it again',
} as const satisfies Record<RefusalName<PlanRefusal>, string>

export const NO_SUCH_PROVIDER = 'there is no such identity provider: find its id with `portaria idp list`'

const providers = {
  id_malformed: "this id can't be used: lower-case letters, digits and hyphens, 32 at most, beginning and ending with a letter or digit",
  name_malformed: `${NAME}, 60 characters at most`,
  issuer_malformed: 'the issuer must be an https:// address without user, query or # part, as the provider names itself',
  client_id_missing: 'the client id is empty: the provider shows it where you registered this service',
  apple_key_malformed: 'in place of a client secret Apple needs JSON with team_id, key_id and private_key, the content of its .p8 file',
  client_secret_missing: 'the client secret is empty: pipe it in, as in `portaria idp add … --client-secret-stdin < secret.txt`',
  id_taken: 'a provider with this id exists: see it with `portaria idp list`; to change it, `portaria idp remove ID` and add it anew',
  audience_malformed: 'the audience must be one line of text, as the provider writes it into access tokens',
  not_found: NO_SUCH_PROVIDER,
  changed_meanwhile: 'the provider was changed by someone else meanwhile: look at it again',
} as const satisfies Record<Exclude<RefusalName<ProviderRefusal>, 'domain_malformed'>, string>

const subscriptions = {
  not_found: 'there is no such subscription: find its id with `portaria subscription list`',
  already_so: 'nothing to do, it is so already: see `portaria subscription show ID`',
  superseded: 'a later payment has opened a new subscription of this line, and only that one can be moved: `portaria subscription list`',
  no_such_user: accounts.not_found,
} as const satisfies Record<RefusalName<SubscriptionRefusal>, string>

const jobs = {
  not_found: 'there is no such job, or it has been done: see `portaria outbox list`',
  running: 'this job is being tried at this moment: see in a minute what became of it, with `portaria outbox show ID`',
} as const satisfies Record<RefusalName<JobRefusal>, string>

const masterKeys = {
  does_not_open: 'opens with neither key, so nothing was changed: set PORTARIA_MASTER_KEY_PREVIOUS to the key in use until now',
  tax_id_twice:
    'holds a tax id that another account has registered since the new key was set, so nothing was changed: clear one of the two first',
} as const satisfies Record<RefusalName<MasterKeyRefusal>, string>

const endpoints = {
  url_malformed: 'the address must be https://, without a name, a password or a fragment; in development http://localhost will do',
  types_missing: 'name at least one type of event',
  operator_only_type: "endpoint.disabled is for the operator's endpoints alone: an endpoint of a product can't choose it",
  description_malformed: 'the description must be one line of text, 200 characters at most',
  secret_malformed: 'the secret must be whsec_ and 24 to 64 bytes in base64 (Standard Webhooks)',
  no_such_product: 'there is no such product: find its slug with `portaria product list`',
  not_found: 'there is no such endpoint: find its id with `portaria endpoint list`',
  already_so: 'it is so already: see `portaria endpoint show ID`',
  changed_meanwhile: 'the endpoint was changed by someone else meanwhile: look at it again',
} as const satisfies Record<RefusalName<EndpointRefusal> | 'not_found' | 'already_so' | 'changed_meanwhile', string>

export const NO_SUCH_TOKEN = 'there is no such token that is not revoked already: see `portaria token list`'

export const NO_SUCH_NOTIFICATION = 'there is no such notification: find its id with `portaria webhook list`'

/** Why a notification is pending. */
export const pendingTexts = {
  unknown_plan:
    'no plan here is the one it names: make it with `portaria plan set`, or name another with `portaria webhook resolve ID --plan SLUG`',
  ambiguous_plan: 'several plans fit what it names: say which with `portaria webhook resolve ID --plan SLUG --product SLUG`',
  unusable_address: "the buyer's address is none that an account can have: give the right one with `portaria webhook resolve ID --email A`",
  unexpected_amount:
    'less was paid than the price of a plan that takes no less (`portaria webhook show ID` says both): if it buys the plan all the same, say so with `portaria webhook resolve ID --plan SLUG`; else `--ignore` it, and see to the money at the gateway',
  unknown_payment:
    'it is about a payment or subscription that is unknown here, perhaps no sale of this product: ignored until that is known, processed by itself then; `portaria gateway reconcile` asks for what was missed',
  duplicate: 'another notification says the same and stands for it: see those with the same subject in `portaria webhook list`',
  awaiting_gateway:
    'the gateway is being asked for the rest: see `portaria outbox list`; `portaria webhook reprocess ID` asks at once, `portaria webhook resolve ID --ignore` ends it',
} as const satisfies Record<Unresolved, string>

const resolutions = {
  not_pending:
    'no notification with this id waits: see `portaria webhook list --status unresolved`, or what became of it with `portaria webhook show ID`',
  no_such_product: plans.no_such_product,
  email_malformed: accounts.email_malformed,
} as const satisfies Record<Exclude<RefusalName<ResolveRefusal>, 'still_unresolved'>, string>

const webhookTests = {
  event_of_other_variant: 'this event belongs to the other variant: purchase.completed is A, all others are B; give one of the two options',
  no_such_product: plans.no_such_product,
  email_malformed: accounts.email_malformed,
} as const satisfies Record<RefusalName<WebhookTestRefusal>, string>

export function userSentence({ refusal }: UserRefusal | PasswordRefusal): string {
  return { ...accounts, ...passwords }[refusal]
}

export function productSentence(refused: ProductRefusal): string {
  if (refused.refusal === 'uri_taken')
    return `${refused.uri} is registered already, for this product or another: an address belongs to one product`
  if (refused.refusal !== 'uri_refused') return products[refused.refusal]
  const { uri, why } = refused
  return `${JSON.stringify(uri)} can't be registered: ${redirectUriSentence(why)}`
}

export function forwardAuthSentence(refused: ForwardAuthRefusal): string {
  if ('plan' in refused)
    return `there is no plan ${JSON.stringify(refused.plan)} of the operator or of this product: see \`portaria plan list\``
  if ('host' in refused) return `${JSON.stringify(refused.host)} ${forwardedHosts[refused.refusal]}`
  return forwardAuth[refused.refusal]
}

/** Quotes nothing of the input but a key's name. */
export function gatewaySecretsSentence(refused: GatewaySecretsRefusal | { refusal: SecretRefusal }): string {
  if (refused.refusal !== 'unknown_key') return gatewaySecrets[refused.refusal]
  return `${refused.key ?? 'one of the keys on standard input'} is no key here: give ${SECRETS_FORM} and nothing else`
}

export function planSentence({ refusal }: PlanRefusal): string {
  return plans[refusal]
}

export function providerSentence(refused: ProviderRefusal): string {
  if (refused.refusal !== 'domain_malformed') return providers[refused.refusal]
  return `${JSON.stringify(refused.domain)} is no mail domain: give domains as in gmail.com,example.com, or * for any`
}

export function subscriptionSentence({ refusal }: SubscriptionRefusal): string {
  return subscriptions[refusal]
}

export function jobSentence({ refusal }: JobRefusal): string {
  return jobs[refusal]
}

export function masterKeySentence({ refusal, place }: MasterKeyRefusal): string {
  return `${place} ${masterKeys[refusal]}`
}

export function resolveSentence(refused: ResolveRefusal): string {
  return refused.refusal === 'still_unresolved' ? `it still waits: ${pendingTexts[refused.why]}` : resolutions[refused.refusal]
}

export function webhookTestSentence({ refusal }: WebhookTestRefusal): string {
  return webhookTests[refusal]
}

export function adminTokenSentence(refused: AdminTokenRefusal): string {
  if (refused.refusal === 'name_malformed') return `${NAME}, 100 characters at most`
  return `a token of this role can't have the scope ${refused.scope}: its role may not do that. Choose another role, or leave the scope out`
}

export function endpointSentence(refusal: keyof typeof endpoints): string {
  return endpoints[refusal]
}
