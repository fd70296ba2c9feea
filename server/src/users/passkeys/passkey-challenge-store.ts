import { type Queryable, removeInPortions } from '../../storage/index.ts'

/** `add`: for the account that asks. `sign_in`: for any account, known only from the signature. */
export type ChallengePurpose = 'add' | 'sign_in'

/** The challenges that devices are asked to sign. */
export function passkeyChallengeStore(db: Queryable) {
  return {
    async insert(challenge: { hash: string; purpose: ChallengePurpose; userId: string | undefined; expiresAt: number }): Promise<void> {
      const { hash, purpose, userId, expiresAt } = challenge
      await db
        .insertInto('passkey_challenges')
        .values({ hash, purpose, user_id: userId ?? null, expires_at: expiresAt })
        .execute()
    },
    /** Takes it in one statement: of any number of concurrent calls, on any nodes, exactly one gets `true`. */
    async take(
      { hash, purpose, userId }: { hash: string; purpose: ChallengePurpose; userId: string | undefined },
      now: number,
    ): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('passkey_challenges')
        .where('hash', '=', hash)
        .where('purpose', '=', purpose)
        .where('user_id', userId === undefined ? 'is' : '=', userId ?? null)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },
    async forgetExpired(now: number): Promise<void> {
      await removeInPortions(db, 'passkey_challenges', (e) => e('expires_at', '<=', now))
    },
  }
}
