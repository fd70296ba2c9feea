import type { Metrics } from '../../http/index.ts'
import type { Discovery } from '../../identity-providers/index.ts'
import type { PasswordHasher } from '../../users/index.ts'
import type { CompleteSignInDeps } from '../guards/guard-deps.ts'

export interface ProviderDeps extends CompleteSignInDeps {
  /** The one address to which identity providers redirect browsers back. */
  callbackUrl: string
  discovery: Discovery
  metrics: Metrics
  onFault: (error: unknown) => void
  passwords: PasswordHasher
}
