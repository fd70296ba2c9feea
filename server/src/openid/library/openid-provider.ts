import { randomBytes } from 'node:crypto'
import type { Provider } from 'oidc-provider'
import { SYSTEM } from '../../audit/index.ts'
import { addRsaKeys, type PrivateJwk } from '../../sessions/index.ts'
import type { OpenIdDeps } from '../deps.ts'
import { loadLibrary } from './library.ts'
import { createProvider } from './provider.ts'

/** The library, from the first product on that speaks OpenID Connect. */
export interface OpenIdProvider {
  /** Whether any product speaks OpenID Connect. */
  isOn(): Promise<boolean>
  /** The library's instance for the present signing keys, with its handler of requests. */
  instance(): Promise<{ provider: Provider; handle: ReturnType<Provider['callback']> }>
}

export function createOpenIdProvider(deps: OpenIdDeps): OpenIdProvider {
  const { products, keys } = deps
  const unusedSecret = randomBytes(32).toString('base64url')
  let made: { provider: Provider; handle: ReturnType<Provider['callback']>; jwks: readonly PrivateJwk[] } | undefined
  return {
    isOn: async () => (await products.openIdClients()).size > 0,
    /** A key that was added, revoked or rotated makes a new instance: the library takes its keys once. */
    async instance() {
      if (made?.jwks === keys.privateJwks()) return made
      const library = await loadLibrary()
      if (!keys.privateJwks().some(({ alg }) => alg === 'RS256')) {
        await addRsaKeys({ ...deps, actor: SYSTEM })
        await keys.load()
      }
      const provider = createProvider(library, { ...deps, unusedSecret })
      made = { provider, handle: provider.callback(), jwks: keys.privateJwks() }
      return made
    },
  }
}
