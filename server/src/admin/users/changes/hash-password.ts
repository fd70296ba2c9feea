import { type PasswordHasher, refusePassword } from '../../../users/index.ts'

export type PasswordRefusal = { refusal: 'too_short' | 'too_long' | 'busy' }

export async function hashPassword(password: string, passwords: PasswordHasher): Promise<{ hash: string } | PasswordRefusal> {
  const refused = refusePassword(password)
  if (refused) return { refusal: refused }
  const hash = await passwords.hash(password)
  return hash === 'busy' ? { refusal: 'busy' } : { hash }
}
