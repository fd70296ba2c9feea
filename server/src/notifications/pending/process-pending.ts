import { z } from 'zod'
import type { ChangeFeed } from '../../changes/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import { addJob, type JobHandler, rewriteJob } from '../../outbox/index.ts'
import {
  type AddEvent,
  type ApplyDeps,
  aliasSource,
  type NormalizedEvent,
  recordEvents,
  resolveEvent,
  subjectsOf,
} from '../../payment-history/index.ts'
import { type Storage, type Transaction, takeLockOnPayment } from '../../storage/index.ts'
import { writeOutcomes } from '../outcomes.ts'
import { MAX_HELD, type PendingNotification, pendingStore } from './pending-store.ts'

/** Names that are known now. Notifications that wait under them may be processed. */
export interface PendingFor {
  source: string
  productId: string
  names: readonly string[]
}

/**
 * The names under which an early event waits, and under which a later event looks for it. A gateway's event waits under the names of its
 * payment and subscription. A payment of the own checkout waits under its subscription, since a renewal may leave out what the purchase
 * says. An event of the own checkout about a gateway's payment uses both. No other event of the own checkout waits for another.
 */
export function pendingFor(source: string, { stream, event }: NormalizedEvent): PendingFor[] {
  const isOfGateway = stream.by === 'gateway'
  const own = isOfGateway ? stream.own : { source, stream }
  return [
    ...(isOfGateway ? [{ source, productId: stream.productId, names: subjectsOf(stream) }] : []),
    ...(own?.stream.by === 'own' && event.kind === 'paid' ? [{ source: own.source, productId: '', names: [own.stream.ref] }] : []),
  ]
}

/** All of these names, in the order in which they are locked. */
export function pendingNames(normalized: NormalizedEvent): string[] {
  return [...new Set(pendingFor('', normalized).flatMap(({ names }) => names))].sort()
}

/** The progress of a search through pending notifications: the id of the last one, and whether any was processed since the search began. */
const progress = z.object({
  source: z.string(),
  productId: z.string(),
  names: z.array(z.string()),
  after: z.string(),
  hasProcessed: z.boolean(),
})
type Progress = z.infer<typeof progress>

export interface RestDeps {
  sealer: Sealer
}

/**
 * Adds the notifications that wait under these names, each once, and those under names that they bring. A notification that still lacks
 * something waits on. The search is repeated as long as it processes anything: the plan or the stream of the next one may have come with
 * it. Answers the rest that is left after one portion.
 */
export function processPendingFor(tx: Transaction, add: AddEvent, { source, productId, names }: PendingFor): Promise<Progress | undefined> {
  return processPortion(tx, add, { source, productId, names: [...names], after: '', hasProcessed: false })
}

async function processPortion(tx: Transaction, add: AddEvent, from: Progress): Promise<Progress | undefined> {
  let at: Progress | undefined = from
  for (let room = MAX_HELD; at && room > 0; ) {
    const { held, last }: { held: PendingNotification[]; last: string | undefined } = await pendingStore(tx).hold(at, at.names, {
      after: at.after,
      limit: room,
    })
    const processed: PendingNotification[] = []
    for (const one of held) if (await tryOne(tx, add, from.source, one)) processed.push(one)
    at = await goOn(tx, at, { last, processed })
    room -= Math.max(1, held.length)
  }
  return at
}

/** The next step: the following notifications, or, at the end, the first ones again if this round processed any. */
async function goOn(
  tx: Transaction,
  at: Progress,
  { last, processed }: { last: string | undefined; processed: readonly PendingNotification[] },
): Promise<Progress | undefined> {
  const given = [...new Set(processed.flatMap(({ normalized: { stream } }) => (stream.by === 'gateway' ? subjectsOf(stream) : [])))]
  const fresh = given.filter((name) => !at.names.includes(name))
  const names = fresh.length === 0 ? at.names : [...at.names, ...(await pendingStore(tx).addPending(at, fresh))]
  const hasProcessed = at.hasProcessed || processed.length > 0
  if (last !== undefined) return { ...at, names, after: last, hasProcessed }
  return hasProcessed ? { ...at, names, after: '', hasProcessed: false } : undefined
}

async function tryOne(tx: Transaction, add: AddEvent, by: string, { id, normalized }: PendingNotification): Promise<boolean> {
  const source = aliasSource(by, normalized)
  const found = await resolveEvent(tx, source, normalized)
  if ('unresolved' in found || (normalized.isApplied && found.isPlanMissing)) return false
  await add({ notificationId: id, source, normalized }, found)
  if (!found.isPlanMissing) await pendingStore(tx).endPending(id)
  return true
}

/** Leaves a job for the rest, which is too much for one transaction. */
export async function leaveRest(tx: Transaction, rest: Progress, { sealer, at }: ApplyDeps & RestDeps): Promise<void> {
  await addJob(tx, { kind: 'process_pending', payload: rest }, { sealer, at })
}

/**
 * The job that processes the rest, one portion in each transaction. Each transaction also writes the progress: names that came with
 * processed notifications are known from nothing else. The job may run any number of times, since a processed notification no longer waits.
 */
export function processPendingJob({
  storage,
  changes,
  sealer,
  now,
}: {
  storage: Storage
  changes: ChangeFeed
  sealer: Sealer
  now: Now
}): JobHandler {
  return async (given, { id }) => {
    let at: Progress | undefined = progress.parse(given)
    while (at) {
      const from: Progress = at
      at = await changes.transaction(async (tx, announce) => {
        for (const name of from.names.toSorted()) await takeLockOnPayment(tx, name, storage)
        const deps = { announce, storage, at: now() }
        let rest: Progress | undefined
        const processRest = async (add: AddEvent) => {
          rest = await processPortion(tx, add, from)
        }
        const recorded = await recordEvents(tx, processRest, deps)
        await writeOutcomes(tx, recorded, { atOnce: undefined, at: deps.at })
        if (rest) await rewriteJob(tx, id, rest, sealer)
        return rest
      })
    }
  }
}
