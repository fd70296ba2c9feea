import { isAnyPreparing, lookAndScan, makeReady, newestEventAt, recordEvent } from '../../app-events/index.ts'
import { type Now, SET_BACK_MS } from '../../kit/index.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import { accessJson } from '../access-json.ts'
import { accessOfUser } from '../check-access.ts'
import type { AccessSubject } from './followed-store.ts'
import { markReportedAfter } from './mark-store.ts'
import { listDue, putReported, type Reported, removeReported, takeDue } from './report-store.ts'
import { listScans, scanPortion } from './scan-store.ts'

export interface ReportDeps {
  storage: Storage
  now: Now
}

const SCAN_PORTION = 200

/**
 * Looks at the next users whose access may have changed, and records an event where it has: after a change, and when what was paid for
 * ends. `more`: others wait. Any number of nodes may do it at once.
 */
export async function reportDue(deps: ReportDeps): Promise<{ looked: number; more: boolean }> {
  const did = await lookAndScan(
    (limit) => listDue(deps.storage.db, { at: deps.now(), limit }),
    (subject) => report(subject, deps),
    () => scan(deps),
  )
  if (!did.more && (await isAnyPreparing(deps.storage.db))) await makeReady(deps.storage.db, deps.now())
  return did
}

/** Marks one portion of a scan, the last one of others that are through. Answers whether there are more. */
async function scan({ storage }: ReportDeps): Promise<boolean> {
  for (const productId of await listScans(storage.db)) {
    const given = { productId, size: SCAN_PORTION, address: storage.address }
    if ((await storage.transaction((tx) => scanPortion(tx, given))) === 'more') return true
  }
  return false
}

/**
 * Has everybody looked at again whose access was reported by a clock that was ahead and is set back: it may have ended there, and go on
 * here. A process that begins knows by the newest event whether there was such a clock.
 */
export async function lookAgainAfter(wasSetBack: 'yes' | 'unknown', { storage, now }: ReportDeps): Promise<void> {
  const at = now()
  if (wasSetBack === 'yes' || ((await newestEventAt(storage.db)) ?? 0) > at + SET_BACK_MS) await markReportedAfter(storage.db, at)
}

function report(subject: AccessSubject, { storage, now }: ReportDeps): Promise<void> {
  return storage.transaction(async (tx) => {
    const at = now()
    const before = await takeDue(tx, subject, at)
    if (before) await compare(tx, subject, before, at)
  })
}

/** The state of a user whom the product does not know. */
const NONE = ''

/** The row is held: of two changes of one user the later look sees both. */
async function compare(tx: Transaction, about: AccessSubject, before: Reported, at: number): Promise<void> {
  const answer = await accessOfUser(tx, about.productId, about.subject, at)
  const access = accessJson(answer)
  const state = answer.status === 'none' ? NONE : JSON.stringify(access)
  const dueAt = answer.active && Number.isFinite(answer.until) ? answer.until : undefined
  if (before.state === undefined || before.state === state) {
    // A user who never had anything, and of whom nothing was reported, leaves nothing.
    if (state === NONE && before.sequence === 0) return removeReported(tx, about)
    return putReported(tx, about, { sequence: before.sequence, state, dueAt })
  }
  // The time of day, so that numbers rise after a restored backup too.
  const sequence = Math.max(before.sequence + 1, at)
  await putReported(tx, about, { sequence, state, dueAt })
  const data = { sequence, product_id: about.productId, user_id: about.subject, ...access }
  const type = access.active
    ? isActive(before.state)
      ? 'access.changed'
      : 'access.granted'
    : isActive(before.state)
      ? 'access.revoked'
      : 'access.changed'
  await recordEvent(tx, { type, ...about, sequence, data }, at)
}

function isActive(state: string): boolean {
  return state !== NONE && JSON.parse(state).active === true
}
