import { endAbandonedRun, forgetRuns, keepDays, MAX_DAYS } from '../admin/serve/index.ts'
import { forgetEventsBefore } from '../app-events/index.ts'
import { appearanceStore } from '../appearance/index.ts'
import type { AppContext } from '../context.ts'
import { forgetOldRedemptions } from '../handoff/index.ts'
import { forgetOldAttempts } from '../identity-providers/index.ts'
import { DAY_MS } from '../kit/index.ts'
import { askForgotten, endLongPending } from '../notifications/index.ts'
import { describedClientStore, forgetExpiredTokens } from '../openid/index.ts'
import { forgetDeadMails } from '../outbox/index.ts'
import { forgetOldLimits } from '../rate-limits/index.ts'
import { endExpiredImpersonations, sessionStore } from '../sessions/index.ts'
import { advance, retention } from '../storage/index.ts'
import { passkeyChallengeStore, sentMailStore, ticketStore } from '../users/index.ts'

/** A round removes the events of a day at most: while the database's clock is months ahead, an hour costs the six oldest days of them. */
const MAX_EVENTS_REMOVED_MS = DAY_MS

/** The tables from which housekeeping removes rows, by the one list of how long everything is kept. */
type Removed = {
  [Table in keyof typeof retention]: (typeof retention)[Table] extends { removedAfterMs: number } ? Table : never
}[keyof typeof retention]

/** Removes what is due, in portions of a few milliseconds (`storage/portions.ts`): there may be millions of rows. */
export async function tidy(context: AppContext, at: number): Promise<void> {
  const { storage, changes } = context
  const { db } = storage
  const before = (table: Removed) => at - retention[table].removedAfterMs
  await changes.forgetOld()
  // Runs first, before the rows that a day is counted from are removed.
  await keepDays(db, MAX_DAYS, at)
  await forgetOldLimits(db, before('rate_limits'))
  await forgetOldRedemptions(db, before('handoff_redemptions'))
  await forgetExpiredTokens(db, before('openid_tokens'))
  await describedClientStore(db).forgetUnused(before('described_clients'))
  await ticketStore(db).forgetExpired(before('tickets'))
  await passkeyChallengeStore(db).forgetExpired(before('passkey_challenges'))
  await forgetOldAttempts(db, before('idp_attempts'))
  await sentMailStore(db).forgetOld(before('sent_mails'))
  await endExpiredImpersonations(context)
  await endLongPending(context)
  await askForgotten(context)
  await endAbandonedRun(context)
  await forgetRuns(db, before('notification_runs'))
  await forgetDeadMails(db, before('outbox'))
  await forgetEventsBefore(db, await advance(db, 'events_removed_until', { to: before('app_events'), atMostMs: MAX_EVENTS_REMOVED_MS }))
  await appearanceStore(db).forgetUnusedImages({ before: before('brand_images'), at })
  await sessionStore(db).forgetExpired(before('sessions'))
}
