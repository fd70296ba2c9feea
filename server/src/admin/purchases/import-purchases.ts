import { type Actor, recordAudit } from '../../audit/index.ts'
import type { Announce, ChangeFeed } from '../../changes/index.ts'
import { type Now, newId, type Sealer } from '../../kit/index.ts'
import { notificationStore } from '../../notifications/index.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import { type Subscription, subscriptionStore } from '../../subscriptions/index.ts'
import { together } from './together.ts'

/** What became of an event: `pending` waits as a notification, for the operator or for the payment that it is about. */
export type Recorded =
  | { outcome: 'applied'; subscriptionId: string }
  | { outcome: 'known' | 'test' }
  | { outcome: 'pending'; id: string; why: string }

/** An event of the past, from a line of a file or a gateway's list. */
export interface PastEvent {
  /** The line of the file, or where it stands in the list. */
  line: number
  /** Ms. */
  at: number
  /** Events that share a name are recorded together, in the order of their times. */
  names: readonly string[]
  record(tx: Transaction, deps: RecordDeps): Promise<Recorded>
}

export interface RecordDeps {
  announce: Announce
  storage: Storage
  sealer: Sealer
  at: number
}

export interface ImportedPurchases {
  applied: number
  known: number
  /** Of a sandbox: kept, and grants nothing. */
  tests: number
  pending: Array<{ line: number; why: string }>
  /** The subscriptions that it changes, as they are at its end. */
  subscriptions: Subscription[]
}

export interface ImportPurchasesDeps {
  storage: Storage
  changes: ChangeFeed
  sealer: Sealer
  now: Now
  actor: Actor
  /** Called after each transaction with the number of events that are done. */
  onDone: (events: number) => void
}

/** So many events share a transaction, unless more belong together. */
const PORTION = 50

/**
 * Records events of the past as if they had been delivered. Those of one buyer share a transaction, so that nobody has half a history. An
 * event that is there already changes nothing, so an interrupted import is run again. `dry_run` does the same and takes every transaction
 * back: it answers what the import would come to.
 */
export async function importPurchases(
  events: readonly PastEvent[],
  { mode, source }: { mode: 'write' | 'dry_run'; source: string },
  deps: ImportPurchasesDeps,
): Promise<ImportedPurchases> {
  const result: ImportedPurchases = { applied: 0, known: 0, tests: 0, pending: [], subscriptions: [] }
  const importId = newId()
  const audit = (after: Record<string, unknown>) =>
    recordAudit(
      deps.storage.db,
      { actor: deps.actor, action: 'purchase.import', target: importId, after: { source, ...after } },
      deps.now(),
    )
  if (mode === 'write') await audit({ state: 'begun' })
  let done = 0
  for (const portion of portionsOf(together(events))) {
    const { recorded, subscriptions } = mode === 'write' ? await write(portion, deps) : await rehearse(portion, deps)
    for (const [i, one] of recorded.entries()) {
      if (one.outcome === 'pending') result.pending.push({ line: portion[i]?.line ?? 0, why: one.why })
      else result[one.outcome === 'test' ? 'tests' : one.outcome]++
    }
    result.subscriptions.push(...subscriptions)
    done += portion.length
    deps.onDone(done)
  }
  const { applied, known, pending } = result
  if (mode === 'write') await audit({ state: 'done', applied, known, pending: pending.length })
  return { ...result, subscriptions: [...new Map(result.subscriptions.map((one) => [one.id, one])).values()] }
}

function* portionsOf(groups: ReadonlyArray<readonly PastEvent[]>): Generator<PastEvent[]> {
  let portion: PastEvent[] = []
  for (const group of groups) {
    portion.push(...group)
    if (portion.length < PORTION) continue
    yield portion
    portion = []
  }
  if (portion.length > 0) yield portion
}

interface Written {
  recorded: Recorded[]
  subscriptions: Subscription[]
}

function write(portion: readonly PastEvent[], deps: ImportPurchasesDeps): Promise<Written> {
  return deps.changes.transaction((tx, announce) => recordAll(tx, announce, portion, deps))
}

async function rehearse(portion: readonly PastEvent[], deps: ImportPurchasesDeps): Promise<Written> {
  try {
    return await deps.storage.transaction(async (tx) => {
      throw new TakenBack(await recordAll(tx, () => undefined, portion, deps))
    })
  } catch (thrown) {
    if (thrown instanceof TakenBack) return thrown.written
    throw thrown
  }
}

/** Ends a transaction without a trace of it. */
class TakenBack extends Error {
  readonly written: Written
  constructor(written: Written) {
    super('a rehearsal is taken back')
    this.written = written
  }
}

async function recordAll(
  tx: Transaction,
  announce: Announce,
  portion: readonly PastEvent[],
  { storage, sealer, now }: ImportPurchasesDeps,
): Promise<Written> {
  const first: Recorded[] = []
  for (const event of portion) first.push(await event.record(tx, { announce, storage, sealer, at: now() }))
  const recorded: Recorded[] = []
  for (const one of first) recorded.push(one.outcome === 'pending' ? await lookAgain(tx, one) : one)
  const touched = new Set(recorded.flatMap((one) => (one.outcome === 'applied' ? [one.subscriptionId] : [])))
  const subscriptions: Subscription[] = []
  for (const id of touched) {
    // It may have become a part of another one meanwhile.
    const found = await subscriptionStore(tx).findById(id)
    if (found) subscriptions.push(found)
  }
  return { recorded, subscriptions }
}

/** A refund may come before its payment, which has processed it since. */
async function lookAgain(tx: Transaction, pending: Recorded & { outcome: 'pending' }): Promise<Recorded> {
  const { status, subscriptionId } = (await notificationStore(tx).findById(pending.id)) ?? {}
  return status === 'processed' && subscriptionId !== undefined ? { outcome: 'applied', subscriptionId } : pending
}
