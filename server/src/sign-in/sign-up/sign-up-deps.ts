import type { PasswordHasher } from '../../users/index.ts'
import type { CompleteSignInDeps } from '../guards/guard-deps.ts'

export interface SignUpDeps extends CompleteSignInDeps {
  passwords: PasswordHasher
  /** The folder of mails on a developer's machine, where none is sent; pages there mention it. */
  mailFolder: string | undefined
}

/**
 * Limits of an hour: mails of one kind to an address, sign-ups that a network starts, and forms that it sends, right or wrong, since
 * judging a password costs CPU.
 */
export const SIGN_UP_MOST = { address: 3, network: 20, forms: 100, passwordTries: 5 } as const
