import { randomBytes } from 'node:crypto'
import { MINUTE_MS, sha256Hex } from '../../kit/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { type ChallengePurpose, passkeyChallengeStore } from './passkey-challenge-store.ts'
import { CHALLENGE_MINUTES } from './webauthn.ts'

const BYTES = 32

/** The use of a challenge. `place` is the browser or session that requested it: no other can answer it. */
export interface ChallengeUse {
  purpose: ChallengePurpose
  userId: string | undefined
  place: string
}

/** A fresh challenge, good for five minutes and once; only its hash is kept. */
export async function mintChallenge(db: Queryable, { purpose, userId, place }: ChallengeUse, now: number): Promise<Buffer> {
  const challenge = randomBytes(BYTES)
  const hash = hashOf(challenge.toString('base64url'), place)
  await passkeyChallengeStore(db).insert({ hash, purpose, userId, expiresAt: now + CHALLENGE_MINUTES * MINUTE_MS })
  return challenge
}

/** Uses a challenge up, whether its answer is right or wrong: of any number of concurrent calls exactly one gets `true`. */
export function takeChallenge(db: Queryable, challenge: string, { purpose, userId, place }: ChallengeUse, now: number): Promise<boolean> {
  return passkeyChallengeStore(db).take({ hash: hashOf(challenge, place), purpose, userId }, now)
}

function hashOf(challenge: string, place: string): string {
  return sha256Hex(`${place}:${challenge}`)
}
