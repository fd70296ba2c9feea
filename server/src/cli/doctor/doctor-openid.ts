import type { Config } from '../../config.ts'
import { createGuardedFetch, type GuardedFetch } from '../../guarded-fetch/index.ts'
import { apiKeyStore, type Product, productStore } from '../../products/index.ts'
import type { Storage } from '../../storage/index.ts'
import { reasonOf } from '../command/faults.ts'
import type { Ask } from './asking.ts'
import type { Check } from './doctor-check.ts'

const TIMEOUT_MS = 5_000
const NAME = 'openid'

/** Apps that speak OpenID Connect, as far as their registration tells, and the addresses that are notified of sign-outs. */
export async function checkOpenId(config: Config, { db }: Storage, ask: Ask): Promise<Check[]> {
  const products = await productStore(db).listAll()
  const clients = (await productStore(db).listOpenIdClients()).map(({ product, redirectUris }) => ({ product, redirectUris }))
  const registered = clients.map(async ({ product, redirectUris }) => {
    const keys = await apiKeyStore(db).listApiKeys(product.id)
    const hasKey = keys.some(({ revokedAt }) => revokedAt === undefined)
    return checkClient(product, { redirectUris, hasKey })
  })
  const guardedFetch = createGuardedFetch(config)
  const algs = new Set(clients.map(({ product }) => product.openid.idTokenAlg))
  const found = await Promise.all([
    ...registered,
    ...(clients.length > 0 ? [ask(`the service at ${config.baseUrl}`, () => checkDiscovery(config, algs))] : []),
    ...products.flatMap((product) =>
      product.backchannelLogoutUri === undefined
        ? []
        : [ask(`the logout address of ${product.slug}`, () => checkLogoutAddress(product, guardedFetch))],
    ),
  ])
  return found.flat()
}

function checkClient(
  { slug, openid }: Product & { openid: NonNullable<Product['openid']> },
  { redirectUris, hasKey }: { redirectUris: readonly string[]; hasKey: boolean },
): Check[] {
  const name = `${NAME} of ${slug}`
  const { kind, pkce, idTokenAlg } = openid
  const usable = redirectUris.filter((uri) => kind === 'native' || /^https?:/.test(uri))
  if (usable.length === 0)
    return [{ name, status: 'fail', message: `no callback is registered: \`portaria product set --slug ${slug} --add-uri https://…\`` }]
  if (kind === 'web' && !hasKey)
    return [{ name, status: 'fail', message: `it has no live API key for a client secret: \`portaria product add-key ${slug}\`` }]
  const callbacks = usable.length === 1 ? '1 callback' : `${usable.length} callbacks`
  const without = usable.length < redirectUris.length ? `; an address with a scheme of its own counts for a native app alone` : ''
  return [
    { name, status: without === '' ? 'ok' : 'warn', message: `${kind}, PKCE ${pkce}, ID tokens ${idTokenAlg}, ${callbacks}${without}` },
  ]
}

/** The metadata as an app finds it: a proxy or another PORTARIA_URL may have come between. */
async function checkDiscovery({ baseUrl }: Config, algs: ReadonlySet<string>): Promise<Check[]> {
  const at = `${baseUrl}/.well-known/openid-configuration`
  try {
    const answer = await fetch(at, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' })
    const metadata: unknown = answer.ok ? await answer.json() : undefined
    const { issuer, id_token_signing_alg_values_supported: signing } = asMetadata(metadata)
    if (issuer === undefined)
      return [{ name: NAME, status: 'fail', message: `${at} answers ${answer.status}: a proxy must pass on every path` }]
    if (issuer !== baseUrl)
      return [{ name: NAME, status: 'fail', message: `${at} names the issuer ${issuer}: apps compare it with PORTARIA_URL, ${baseUrl}` }]
    const missing = [...algs].filter((alg) => !signing.includes(alg))
    if (missing.length > 0) return [{ name: NAME, status: 'fail', message: `${at} does not offer ${missing.join(', ')} for ID tokens` }]
    return [{ name: NAME, status: 'ok', message: `${at} names this issuer, and ${[...algs].join(', ')}` }]
  } catch (error) {
    return [{ name: NAME, status: 'warn', message: `${at} does not answer (${reasonOf(error)})` }]
  }
}

function asMetadata(metadata: unknown): { issuer: string | undefined; id_token_signing_alg_values_supported: unknown[] } {
  const nothing = { issuer: undefined, id_token_signing_alg_values_supported: [] }
  if (typeof metadata !== 'object' || metadata === null) return nothing
  const { issuer, id_token_signing_alg_values_supported: algs } = { ...nothing, ...metadata }
  return { issuer: typeof issuer === 'string' ? issuer : undefined, id_token_signing_alg_values_supported: Array.isArray(algs) ? algs : [] }
}

/** Sends a notice without a token, which every app refuses (Back-Channel Logout 1.0 §2.6): nobody is signed out. */
async function checkLogoutAddress({ slug, backchannelLogoutUri: uri = '' }: Product, guardedFetch: GuardedFetch): Promise<Check[]> {
  const name = `sign-outs of ${slug}`
  try {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await guardedFetch(uri, { method: 'POST', headers, body: 'logout_token=', signal: AbortSignal.timeout(TIMEOUT_MS) })
    await answer.body?.cancel().catch(() => {})
    if (answer.status === 400) return [{ name, status: 'ok', message: `${uri} answers, and refuses a notice without a token` }]
    const message = `${uri} answers ${answer.status} to a notice without a token; 400 is expected. Is it the app's address for back-channel logout?`
    return [{ name, status: 'warn', message }]
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return [
      { name, status: 'warn', message: `${uri} does not answer (${reasonOf(cause)}): its users stay signed in there until its next check` },
    ]
  }
}
