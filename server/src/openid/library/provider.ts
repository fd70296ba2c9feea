import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { OpenIdDeps } from '../deps.ts'
import { exchangeOf } from './exchange.ts'
import type { Library } from './library.ts'
import { findSession } from './library-session.ts'
import { configuration } from './library-settings.ts'
import { finishRedemption } from './redemption.ts'

/**
 * The library as this installation uses it, for one state of the signing keys. It has no cookies and no sessions of its own: the browser's
 * session is ours, and a client's grant is a product session below it.
 */
export function createProvider(library: Library, deps: OpenIdDeps & { unusedSecret: string }): Provider {
  const { baseUrl, onFault } = deps
  const provider = new library.Provider(baseUrl, configuration(library, deps))
  provider.proxy = true
  provider.use(async (ctx, next) => {
    ctx.cookies = noCookies(ctx)
    await next()
    if (ctx.oidc?.route === 'discovery') announceDocuments(ctx, await takesDocuments(deps))
    const { redemption } = exchangeOf(ctx)
    // A request that the library has refused by itself redeems nothing.
    const refusal = redemption && ctx.status === 200 ? await finishRedemption(redemption, deps) : undefined
    if (!refusal) return
    if (refusal.retryAfterSeconds !== undefined) ctx.set('retry-after', String(refusal.retryAfterSeconds))
    Object.assign(ctx, { status: refusal.status, body: { error: refusal.error } })
  })
  provider.Session.get = (ctx) => findSession(ctx as KoaContextWithOIDC, provider, library, deps)
  Object.assign(provider.Client.prototype, {
    includeSid: () => true,
    compareClientSecret(this: { clientId: string }, secret: string) {
      return isSecretOf(this.clientId, secret, deps)
    },
  })
  provider.on('server_error', (_ctx, error) => onFault(error))
  // Koa's own event, for what the library did not catch.
  ;(provider as NodeJS.EventEmitter).on('error', onFault)
  return provider
}

/** Whether a product takes clients that describe themselves now; the metadata say so (the draft's §5). */
async function takesDocuments({ products, documents }: OpenIdDeps): Promise<boolean> {
  return documents !== undefined && [...(await products.openIdClients()).values()].some(({ product }) => product.openid.takesDocuments)
}

function announceDocuments({ body }: { body: object }, areTaken: boolean): void {
  if (areTaken) Object.assign(body, { client_id_metadata_document_supported: true })
}

/** The library's cookies: none arrives, and none is set. */
function noCookies({ req, res }: Pick<KoaContextWithOIDC, 'req' | 'res'>): KoaContextWithOIDC['cookies'] {
  const none: KoaContextWithOIDC['cookies'] = { secure: false, request: req, response: res, get: () => undefined, set: () => none }
  return none
}

/** Found by its hash, so that no two secrets are ever compared character by character. */
async function isSecretOf(clientId: string, secret: string, { products }: OpenIdDeps): Promise<boolean> {
  return (await products.findByApiKey(secret))?.publishableKey === clientId
}
