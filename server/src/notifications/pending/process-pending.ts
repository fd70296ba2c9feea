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

/** What may be processed now, since something is known under these names. */
export interface PendingFor {
  source: string
  productId: string
  names: readonly string[]
}

/**
 * Where events that comes too early waits, and what has come since looks for it: a gateway's under the names of what it is about. A payment
 * of the own checkout under that of its subscription, as a renewal may leave out what its purchase says; both, where it tells of a
 * gateway's payment. Nothing else that the own checkout tells has to wait for more events.
 */
export function pendingFor(source: string, { stream, event }: NormalizedEvent): PendingFor[] {
  const isOfGateway = stream.by === 'gateway'
  const own = isOfGateway ? stream.own : { source, stream }
  return [
    ...(isOfGateway ? [{ source, productId: stream.productId, names: subjectsOf(stream) }] : []),
    ...(own?.stream.by === 'own' && event.kind === 'paid' ? [{ source: own.source, productId: '', names: [own.stream.ref] }] : []),
  ]
}

/** The names of all of it, in the order in which they are locked. */
export function pendingNames(normalized: NormalizedEvent): string[] {
  return [...new Set(pendingFor('', normalized).flatMap(({ names }) => names))].sort()
}

/**
 * Where a look through what waits has come to: after the notification with this id, and whether it has processed anything since it began.
 */
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
 * Adds what was told too early under these names, each once, and what waits under any name that those give; what can't be told
 * of still goes on waiting. Looks through all again as long as that processes something: the next one's plan or stream may have come with
 * it. Answers what is left to do after one portion.
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

/** The next look: further on, or, at the end, from the beginning if anything came of this one. */
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

/** Leaves a job for what one transaction should not do. */
export async function leaveRest(tx: Transaction, rest: Progress, { sealer, at }: ApplyDeps & RestDeps): Promise<void> {
  await addJob(tx, { kind: 'process_pending', payload: rest }, { sealer, at })
}

/**
 * The job that goes on with it, a portion in each transaction, in which it writes down where it has come to: names that were learnt from
 * what is processed can be learnt from nothing else. May run any number of times: what is processed waits no more.
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
