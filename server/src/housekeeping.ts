import { deleteDue, endAbandonedRun, forgetRuns, keepDays, MAX_DAYS } from './admin/serve/index.ts'
import type { Service } from './app.ts'
import { forgetEventsBefore } from './app-events/index.ts'
import { appearanceStore } from './appearance/index.ts'
import { SYSTEM } from './audit/index.ts'
import type { AppContext } from './context.ts'
import { forgetOldRedemptions } from './handoff/index.ts'
import type { Logger } from './http/index.ts'
import { forgetOldAttempts } from './identity-providers/index.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './kit/index.ts'
import { askForgotten, endLongPending } from './notifications/index.ts'
import { describedClientStore, forgetExpiredTokens } from './openid/index.ts'
import { forgetDeadMails } from './outbox/index.ts'
import { forgetOldLimits } from './rate-limits/index.ts'
import { countStreams } from './reports/index.ts'
import { endExpiredImpersonations, LAST_SEEN_FLUSH_MS, manageSigningKeys, sessionStore } from './sessions/index.ts'
import { advance, compareClocks, manageFills, retention, takeTurn } from './storage/index.ts'
import { passkeyChallengeStore, sentMailStore, ticketStore } from './users/index.ts'

const HOUSEKEEPING_MS = 10 * MINUTE_MS
/** A node checks soon after its start, then regularly: processes that live for minutes only would otherwise never clean up. */
const FIRST_LOOK_MS = 5_000
const LOOK_MS = MINUTE_MS
/** The figures of reports are behind by so much at most; reading them counts what is new as well. */
const COUNT_MS = MINUTE_MS
/** A round removes the events of a day at most: while the database's clock is months ahead, an hour costs the six oldest days of them. */
const MAX_EVENTS_REMOVED_MS = DAY_MS

/**
 * Removes expired data, writes down what is counted in memory, and makes the next signing key when it is due. Answers a function that stops
 * it.
 */
export function startHousekeeping(
  context: AppContext,
  { flushLastSeen, writeCounts }: Pick<Service, 'flushLastSeen' | 'writeCounts'>,
): () => void {
  let isOver = false
  const attempt = (work: () => Promise<unknown>) => void work().catch((error) => isOver || context.onFault(error))
  const again = (work: () => Promise<unknown>, everyMs: number) => setInterval(() => attempt(work), everyMs).unref()
  const tidyInTurn = () => tidyIfDue(context)
  const letGo = () => deleteDue(context)
  // At start too, and on every node. Only one node takes each user, and each user knows when.
  attempt(letGo)
  const first = setTimeout(() => attempt(tidyInTurn), FIRST_LOOK_MS).unref()
  const timers = [
    again(tidyInTurn, LOOK_MS),
    again(letGo, HOUSEKEEPING_MS),
    again(() => manageSigningKeys({ ...context, actor: SYSTEM }), HOUR_MS),
    again(flushLastSeen, LAST_SEEN_FLUSH_MS),
    again(writeCounts, MINUTE_MS),
    again(() => countStreams(context), COUNT_MS),
  ]
  return () => {
    isOver = true
    clearTimeout(first)
    timers.forEach(clearInterval)
  }
}

/** Has every page read, which takes longer than users should wait for the start. `say` shows a line to the operator at the terminal. */
export async function reportDamage({ storage }: AppContext, logger: Pick<Logger, 'error'>, say: (line: string) => void): Promise<void> {
  const damage = await storage.checkPages()
  if (damage === undefined) return
  logger.error(damage)
  say(`\n  ${damage}`)
}

/** Every ten minutes the first node that asks does it; the database remembers when. */
export async function tidyIfDue(context: AppContext): Promise<void> {
  const at = await compareClocks(context.clock, context.storage)
  if (await takeTurn(context.storage.db, 'tidied_at', { at, everyMs: HOUSEKEEPING_MS })) await tidy(context, at)
}

/** The tables from which housekeeping removes rows, by the one list of how long everything is kept. */
type Removed = {
  [Table in keyof typeof retention]: (typeof retention)[Table] extends { removedAfterMs: number } ? Table : never
}[keyof typeof retention]

/** In portions of a few milliseconds (`storage/portions.ts`): there may be millions of rows. */
async function tidy(context: AppContext, at: number): Promise<void> {
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
  await manageFills(storage, at)
}
