import { constantTimeEqual, sha256Base64Url } from '../../kit/index.ts'
import type { FirstFactor, User } from '../../users/index.ts'
import type { SealedFactor } from './flow.ts'

export function sealFactor(factor: Exclude<FirstFactor, { kind: 'passkey' }>): SealedFactor {
  if (factor.kind === 'password') return { kind: 'password', fingerprint: sha256Base64Url(factor.passwordHash) }
  return { kind: 'identity', issuer: factor.issuer, subject: factor.subject }
}

/** The first factor, if the account still has it. The beginning of the session decides whether it holds. */
export function openFactor(first: SealedFactor, { passwordHash = '' }: User): FirstFactor | undefined {
  if (first.kind === 'identity') return { ...first, saysSecondFactor: false }
  return constantTimeEqual(sha256Base64Url(passwordHash), first.fingerprint) ? { kind: 'password', passwordHash } : undefined
}
