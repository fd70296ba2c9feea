import { endAbandonedRun, forgetRuns, keepDays, MAX_DAYS } from '../admin/serve/index.ts'
import { forgetEventsBefore } from '../app-events/index.ts'
import { appearanceStore } from '../appearance/index.ts'
import type { AppContext } from '../context.ts'
import { forgetOldRedemptions } from '../handoff/index.ts'
import { forgetOldAttempts } from '../identity-providers/index.ts'
import { DAY_MS } from '../kit/index.ts'
import { askForgotten, endLongPending, forgetIgnored } from '../notifications/index.ts'
import { describedClientStore, forgetExpiredTokens } from '../openid/index.ts'
import { forgetDeadMails } from '../outbox/index.ts'
import { forgetOldLimits } from '../rate-limits/index.ts'
import { endExpiredImpersonations, sessionStore } from '../sessions/index.ts'
import { advance, isDatabaseAway, type Queryable, retention } from '../storage/index.ts'
import { failedSignInStore, passkeyChallengeStore, sentMailStore, ticketStore } from '../users/index.ts'

/** A round removes the events of a day at most: while the database's clock is months ahead, an hour costs the six oldest days of them. */
const MAX_EVENTS_REMOVED_MS = DAY_MS

/** The tables from which housekeeping removes rows, by the one list of how long everything is kept. */
type Removed = {
  [Table in keyof typeof retention]: (typeof retention)[Table] extends { removedAfterMs: number } ? Table : never
}[keyof typeof retention]

type Step = () => Promise<unknown>

/**
 * Removes what is due, in portions of a few milliseconds (`storage/portions.ts`): there may be millions of rows. A step that fails keeps
 * none of the others from its work. Rejects at the end with what failed; at once where the database is away.
 */
export async function tidy(context: AppContext, at: number): Promise<void> {
  const faults: unknown[] = []
  const attempt = async (step: Step) => {
    try {
      await step()
      return true
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      faults.push(error)
      return false
    }
  }
  const { steps, ofCounted } = stepsOf(context, at)
  const areCounted = await attempt(() => keepDays(context.storage.db, MAX_DAYS, at))
  for (const step of areCounted ? [...steps, ...ofCounted] : steps) await attempt(step)
  if (faults.length > 0) throw faults.length === 1 ? faults[0] : new AggregateError(faults, 'housekeeping failed in part')
}

/** `ofCounted`: the rows that a day is counted from, which go once it is counted. */
function stepsOf(context: AppContext, at: number): { steps: Step[]; ofCounted: Step[] } {
  const { storage, changes } = context
  const { db } = storage
  const before = (table: Removed) => at - retention[table].removedAfterMs
  return {
    steps: [
      () => changes.forgetOld(),
      () => failedSignInStore(db).forgetOld(before('failed_sign_ins')),
      () => forgetOldLimits(db, before('rate_limits')),
      () => forgetOldRedemptions(db, before('handoff_redemptions')),
      () => forgetExpiredTokens(db, before('openid_tokens')),
      () => describedClientStore(db).forgetUnused(before('described_clients')),
      () => ticketStore(db).forgetExpired(before('tickets')),
      () => passkeyChallengeStore(db).forgetExpired(before('passkey_challenges')),
      () => forgetOldAttempts(db, before('idp_attempts')),
      () => sentMailStore(db).forgetOld(before('sent_mails')),
      () => endExpiredImpersonations(context),
      () => endLongPending(context),
      () => askForgotten(context),
      () => endAbandonedRun(context),
      () => forgetRuns(db, before('notification_runs')),
      () => forgetEvents(db, before('app_events')),
      () => forgetIgnored(storage, before('notifications')),
      () => appearanceStore(db).forgetUnusedImages({ before: before('brand_images'), at }),
    ],
    ofCounted: [() => forgetDeadMails(db, before('outbox')), () => sessionStore(db).forgetExpired(before('sessions'))],
  }
}

async function forgetEvents(db: Queryable, before: number): Promise<void> {
  await forgetEventsBefore(db, await advance(db, 'events_removed_until', { to: before, atMostMs: MAX_EVENTS_REMOVED_MS }))
}
