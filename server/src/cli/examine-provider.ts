import { examineProvider as examine } from '../admin/index.ts'
import type { House } from '../app.ts'
import { createOutgoing } from '../http/index.ts'
import type { IdentityProvider, ProviderFinding } from '../identity-providers/index.ts'

/** Asks a provider as the service would, with its rules of what may be called. */
export function examineProvider(
  provider: IdentityProvider,
  { config, ...house }: Pick<House, 'config' | 'storage' | 'sealer' | 'patienceSeconds' | 'now'>,
): Promise<ProviderFinding[]> {
  const outgoing = createOutgoing({ allowPrivate: config.allowPrivate, isDevelopment: config.isDevelopment })
  return examine(provider, { ...house, outgoing, baseUrl: config.baseUrl })
}
