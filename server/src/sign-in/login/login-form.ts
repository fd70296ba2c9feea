import type { Href, ProviderMark } from '../../pages/index.ts'
import type { LoginNotice } from '../flow/flow.ts'

export type LoginProblem = 'wrong_credentials' | 'too_many_attempts' | 'busy' | 'missing_fields' | 'deletion_pending' | 'wrong_passkey'

/**
 * `productName` is absent for a sign-in to Portaria itself. `email` is what was typed; a password never comes back. `notice` is the outcome
 * at a provider before. `providers` are the other sign-in methods, by the names of their buttons.
 */
export interface LoginPage {
  flow: string
  productName?: string | undefined
  email?: string | undefined
  problem?: LoginProblem | undefined
  retryAfterSeconds?: number | undefined
  notice?: LoginNotice | undefined
  providers: { name: string; mark?: ProviderMark | undefined; href: Href }[]
  /** Absent for a signed-in user who authenticates again. */
  signUpUrl: Href | undefined
  recoverUrl: Href
}
