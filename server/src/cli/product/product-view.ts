import type { ProductDetails } from '../../admin/index.ts'
import { type ApiKeyInfo, type ForwardAuth, isOnDomain, METHODS, type PaymentMethod, type Product } from '../../products/index.ts'
import { fields, type Text, table } from '../command/layout.ts'
import type { LocalTime } from '../command/local-time.ts'
import type { CommandContext } from '../command/open-context.ts'

export function productTable(products: readonly Product[]): Text {
  if (products.length === 0) return 'No products. Register one: portaria product create --help'
  return table(
    ['slug', 'name', 'audience', 'checkout', 'id'],
    products.map(({ slug, name, audience, checkout, id }) => [slug, name, audience, checkout, id]),
  )
}

export function productFields(details: ProductDetails, { localTime }: Pick<CommandContext, 'localTime'>): string {
  const { product, redirectUris, apiKeys, webhookKeys, paymentMethods, gatewayCredentials, graceDays, forwardAuth } = details
  const live = webhookKeys.filter(({ revokedAt }) => revokedAt === undefined)
  const keyLabel = product.checkout === 'external' ? 'webhook address' : 'webhook key'
  return fields([
    ['id', product.id],
    ['slug', product.slug],
    ['name', product.name],
    ['audience', product.audience],
    ['checkout', product.checkout],
    ['handoff', product.handoff],
    ['scopes', product.scopes.join(' ')],
    ['asks users for', requirementsLine(product.requirements)],
    ['API key in query', product.queryKeyAllowed ? 'allowed for check-access' : 'refused'],
    [
      'redirect URIs',
      redirectUris.length === 0 ? 'none yet' : redirectUris.map(({ uri, trusted }) => (trusted ? `${uri} (trusted)` : uri)),
    ],
    ['OpenID Connect', openIdLines(product)],
    ['notified of sign-outs', product.backchannelLogoutUri],
    ['forward auth', forwardAuth && [forwardRule(forwardAuth), ...forwardAuth.hosts]],
    ['publishable key', product.publishableKey],
    ['API keys', apiKeys.length === 0 ? 'none' : apiKeys.map((key) => apiKeyLine(key, localTime))],
    [keyLabel, live.map(({ key }) => (product.checkout === 'external' ? `/api/webhooks/<gateway>/${key}` : key))],
    ['payment methods', product.checkout === 'integrated' ? matrixLine(paymentMethods) : undefined],
    [
      'gateways',
      gatewayCredentials.length === 0
        ? 'none yet'
        : gatewayCredentials.map(({ gateway, isTest }) => (isTest ? `${gateway} (test)` : gateway)),
    ],
    ['days of grace', METHODS.map((method) => `${method}=${graceDays[method]}`).join(' ')],
    ['created at', localTime(product.createdAt)],
  ])
}

function openIdLines({ openid }: Product): string | string[] {
  if (!openid) return 'off'
  const { kind, pkce, idTokenAlg, postLogoutUris, resources, takesDocuments } = openid
  return [
    `${kind}, PKCE ${pkce}, ID tokens ${idTokenAlg}`,
    ...(takesDocuments ? ['clients that describe themselves sign in by it'] : []),
    ...postLogoutUris.map((uri) => `after a sign-out: ${uri}`),
    ...resources.map((uri) => `resource: ${uri}`),
  ]
}

function requirementsLine({ requires, foreigners }: Product['requirements']): string {
  if (requires.length === 0) return 'nothing'
  const ways = {
    refused: 'a CPF or CNPJ of everyone',
    document: 'a foreign document will do',
    exempt: 'who has no CPF or CNPJ goes on without',
  }
  const names = requires.map((one) => one.replace('_', '-')).join(', ')
  return requires.includes('tax_id') ? `${names} (${ways[foreigners]})` : names
}

function forwardRule({ access, plans }: ForwardAuth): string {
  if (access === 'signed_in') return 'everyone who is signed in'
  return access === 'any_plan' ? 'with any plan' : `with the plan ${plans.join(' or ')}`
}

/** Warns of addresses that will get no token, which is valid but rarely meant. */
export function uriHint({ product, redirectUris, forwardAuth }: ProductDetails, { config }: CommandContext): string | undefined {
  if (forwardAuth?.hosts.length === 0)
    return `No host yet that a proxy may ask for. Add one:  portaria product set ${product.slug} --add-forward-host wiki.example.com`
  if (redirectUris.length === 0 && forwardAuth) return undefined
  if (redirectUris.length === 0)
    return `No redirect URI yet: nobody can sign in to it. Add one:  portaria product set ${product.slug} --add-uri https://…`
  if (product.audience === 'external') return undefined
  const without = redirectUris.filter(({ uri, trusted }) => !trusted && !isOnDomain(uri, config))
  if (without.length === 0) return undefined
  const lines = without.map(({ uri }) => `  ${uri}`).join('\n')
  return `Not on the internal domain (${config.cookieDomain ?? new URL(config.baseUrl).hostname}), so no token is sent there unless it is registered as trusted:\n${lines}`
}

export function matrixLine(methods: readonly PaymentMethod[]): string {
  return methods.length === 0 ? 'none yet' : methods.map(({ method, gateway }) => `${method}=${gateway}`).join(' ')
}

function apiKeyLine({ id, hint, createdAt, revokedAt }: ApiKeyInfo, localTime: LocalTime): string {
  return `${id}  ${hint}  made ${localTime(createdAt)}${revokedAt === undefined ? '' : `, revoked ${localTime(revokedAt)}`}`
}
