import { normaliseEmail } from '../../kit/index.ts'
import { isName } from '../insert-user.ts'
import { judgePassword } from '../passwords/judge-password.ts'
import type { PasswordWeakness } from '../passwords/password-strength.ts'
import { refusePassword } from '../passwords/refuse-password.ts'

export interface SignUpInput {
  name: string
  email: string
  password: string
}

export type SignUpField = keyof SignUpInput

export type SignUpError = 'required' | 'invalid' | 'too_long' | 'too_short' | PasswordWeakness

export type SignUpErrors = Partial<Record<SignUpField, SignUpError>>

/**
 * The errors of a sign-up form by field; empty when it is right. Asks no database, so it can't reveal whether an account exists. `busy`:
 * too many passwords wait to be judged.
 */
export async function findSignUpErrors({ name, email, password }: SignUpInput): Promise<SignUpErrors | 'busy'> {
  const errors: SignUpErrors = {}
  if (name.trim() === '') errors.name = 'required'
  else if (name.length > 100) errors.name = 'too_long'
  else if (!isName(name)) errors.name = 'invalid'
  if (email.trim() === '') errors.email = 'required'
  else if (normaliseEmail(email) === undefined) errors.email = 'invalid'
  const weak = await findPasswordError(password, [name, email])
  if (weak === 'busy') return 'busy'
  if (weak) errors.password = weak
  return errors
}

/** Why a user with these names and addresses can't choose a password. The caller has counted the try, because judging costs CPU. */
export async function findPasswordError(password: string, personal: readonly string[]): Promise<SignUpError | 'busy' | undefined> {
  if (password === '') return 'required'
  return refusePassword(password) ?? judgePassword(password, personal)
}
