import type { PasswordHasher } from '../../users/index.ts'
import type { CompleteSignInDeps } from '../guards/guard-deps.ts'

export interface RecoveryDeps extends CompleteSignInDeps {
  passwords: PasswordHasher
  /** The folder of mails on a developer's machine, where none is sent; pages there mention it. */
  mailFolder: string | undefined
}
