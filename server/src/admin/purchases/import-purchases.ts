import { recordAudit } from '../../audit/index.ts'
import { newId } from '../../kit/index.ts'
import type { Subscription } from '../../subscriptions/index.ts'
import type { PastEvent } from './past-event.ts'
import { type ImportPurchasesDeps, recordAll, type Written } from './record-all.ts'
import { together } from './together.ts'

export interface ImportedPurchases {
  applied: number
  known: number
  /** Of a sandbox: kept, and grants nothing. */
  tests: number
  pending: Array<{ line: number; why: string }>
  /** The subscriptions that it changes, as they are at its end. */
  subscriptions: Subscription[]
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
