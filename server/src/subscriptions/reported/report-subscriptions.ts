import { type EventType, lookAtSome, recordEvent } from '../../app-events/index.ts'
import { isoTime, type Now } from '../../kit/index.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import { findShown, isAnyHearing, listDue, putReported, type Reported, removeReported, takeDue } from './report-store.ts'

/**
 * Looks at the next subscriptions that may have changed, and records an event where what is reported has (decision 167). `more`: others
 * wait. Any number of nodes may do it at once.
 */
export async function reportSubscriptions({ storage, now }: { storage: Storage; now: Now }): Promise<{ looked: number; more: boolean }> {
  if (!(await isAnyHearing(storage.db))) return { looked: 0, more: false }
  return lookAtSome(
    (limit) => listDue(storage.db, limit),
    (id) => storage.transaction((tx) => report(tx, id, now())),
  )
}

async function report(tx: Transaction, id: string, at: number): Promise<void> {
  const before = await takeDue(tx, id)
  if (before) await compare(tx, { id, before, at })
}

/** The reported state of a subscription. It has no address of a user: an app that may not see it must not learn it here. */
interface Shown {
  product_id: string | null
  user_id: string | null
  product_user_id: string | null
  /** `merged`: an old event has shown that it never was a subscription of its own. */
  status: string
  plan_slug: string | null
  current_period_end: string | null
}

async function compare(tx: Transaction, { id, before, at }: { id: string; before: Reported; at: number }): Promise<void> {
  const found = await findShown(tx, id)
  const known = before.state === undefined || before.state === '' ? undefined : (JSON.parse(before.state) as Shown)
  if (!found && (!known || known.status === 'merged')) return removeReported(tx, id)
  const shown: Shown = found
    ? {
        product_id: found.product_id,
        user_id: found.user_id,
        product_user_id: found.product_user === '' ? null : found.product_user,
        status: found.state,
        plan_slug: found.slug,
        current_period_end: isoTime(found.period_end ?? undefined),
      }
    : { product_id: known?.product_id ?? null, ...NOBODY, status: 'merged', plan_slug: null, current_period_end: null }
  const state = JSON.stringify(shown)
  if (before.state === state) return
  // The time of day, so that numbers rise after a restored backup too.
  const sequence = Math.max(before.sequence + 1, at)
  // A merged subscription never comes back: nothing is kept of it after its last event.
  await (found ? putReported(tx, id, { sequence, state }) : removeReported(tx, id))
  const data = { sequence, subscription_id: id, ...shown }
  const type = before.state === '' ? 'subscription.created' : typeOf(known, shown)
  await recordEvent(tx, { type, productId: shown.product_id ?? undefined, subject: id, sequence, data }, at)
}

const NOBODY = { user_id: null, product_user_id: null }

/** A subscription that is over may begin again, as after a dispute that was won. */
const OVER: ReadonlySet<string> = new Set(['expired', 'refunded', 'merged'])

function typeOf(known: Shown | undefined, { status }: Shown): EventType {
  return OVER.has(status) && !(known && OVER.has(known.status)) ? 'subscription.ended' : 'subscription.updated'
}
