import type { Discovery } from '../../identity-providers/index.ts'
import type { PasswordHasher } from '../../users/index.ts'
import type { CompleteSignInDeps } from '../guards/guard-deps.ts'
import type { OutcomeDeps } from '../guards/outcome-guards.ts'

export interface ProviderDeps extends CompleteSignInDeps, OutcomeDeps {
  /** The one address to which identity providers redirect browsers back. */
  callbackUrl: string
  discovery: Discovery
  onFault: (error: unknown) => void
  passwords: PasswordHasher
}
