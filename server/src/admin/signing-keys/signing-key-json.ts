import { isoTime } from '../../kit/index.ts'
import type { SigningKey, SigningKeyState } from '../../sessions/index.ts'

/** A signing key, on the command line and in the admin API alike; never its private half. */
export function signingKeyJson({ kid, createdAt, signsFrom, revokedAt }: SigningKey, state: SigningKeyState) {
  return { kid, created_at: isoTime(createdAt), signs_from: isoTime(signsFrom), revoked_at: isoTime(revokedAt), state }
}
