import { examineProvider as examine } from '../../admin/index.ts'
import type { AppContext } from '../../context.ts'
import { createGuardedFetch } from '../../guarded-fetch/index.ts'
import type { IdentityProvider, ProviderFinding } from '../../identity-providers/index.ts'

/** Asks a provider as the service would, with its rules about addresses. `clientSecret`: one that is not stored yet. */
export function examineProvider(
  provider: IdentityProvider,
  { config, ...context }: Pick<AppContext, 'config' | 'storage' | 'sealer' | 'timeoutSeconds' | 'now'> & { clientSecret?: string },
): Promise<ProviderFinding[]> {
  const guardedFetch = createGuardedFetch({ allowPrivate: config.allowPrivate, isDevelopment: config.isDevelopment })
  return examine(provider, { ...context, guardedFetch, baseUrl: config.baseUrl })
}
