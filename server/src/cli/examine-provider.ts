import { examineProvider as examine } from '../admin/index.ts'
import type { AppContext } from '../app.ts'
import { createOutgoing } from '../guarded-fetch/index.ts'
import type { IdentityProvider, ProviderFinding } from '../identity-providers/index.ts'

/** Asks a provider as the service would, with its rules of what may be called. */
export function examineProvider(
  provider: IdentityProvider,
  { config, ...context }: Pick<AppContext, 'config' | 'storage' | 'sealer' | 'patienceSeconds' | 'now'>,
): Promise<ProviderFinding[]> {
  const outgoing = createOutgoing({ allowPrivate: config.allowPrivate, isDevelopment: config.isDevelopment })
  return examine(provider, { ...context, outgoing, baseUrl: config.baseUrl })
}
