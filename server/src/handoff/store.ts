import { prepare, type Queryable, removeInPortions } from '../storage/index.ts'

const insertRedemption = prepare((db: Queryable, { jti, expiresAt }: { jti: string; expiresAt: number }) =>
  db
    .insertInto('handoff_redemptions')
    .values({ jti, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing()),
)

/**
 * Records the first redemption of a handoff, in one statement. Of any number of concurrent calls with one jti, on any nodes, exactly one
 * gets `true`.
 */
export async function firstRedemption(db: Queryable, jti: string, expiresAt: number): Promise<boolean> {
  return (await insertRedemption(db, { jti, expiresAt })).numAffectedRows === 1n
}

/** Removes redemptions whose handoffs have expired: those are refused anyway. */
export async function forgetOldRedemptions(db: Queryable, before: number): Promise<void> {
  await removeInPortions(db, 'handoff_redemptions', (e) => e('expires_at', '<', before))
}
