import { type OperatorEvent, type ReplayedEvent, replayApplied, replayOperatorEvent } from '../../payment-history/index.ts'
import { migrate, openStorage, type Storage } from '../../storage/index.ts'
import { writeOutcomes } from '../outcomes.ts'
import { inboxStore } from './inbox-store.ts'

/** The history made again in a database of its own, and which streams are there for which. */
export interface Replayed {
  scratch: Storage
  /** For each stored stream the new streams of its notifications, and the reverse. */
  there: Map<string, Set<string>>
  here: Map<string, Set<string>>
  notifications: number
  /** Streams with a notification of which nothing was kept: they can't be compared. */
  unknown: Set<string>
  /** Streams with a notification from which addresses were taken: none are compared. */
  scrubbed: Set<string>
}

/** Adds what notifications brought to an empty history in memory, then what the operator did. The caller closes the scratch database. */
export async function replayInbox({
  storage,
  onNotification,
}: {
  storage: Storage
  onNotification?: (count: number) => void
}): Promise<Replayed> {
  const scratch = await openStorage({ dialect: 'sqlite', file: ':memory:' })
  await migrate(scratch)
  const inbox = inboxStore(storage.db)
  await inboxStore(scratch.db).copyGrace(storage.db)
  const replayed: Replayed = { scratch, there: new Map(), here: new Map(), notifications: 0, unknown: new Set(), scrubbed: new Set() }
  let rest: ReplayedEvent[] = []
  for await (const notification of inbox.applied()) {
    replayed.notifications += 1
    onNotification?.(replayed.notifications)
    if (notification.applied.length === 0) replayed.unknown.add(notification.streamId)
    if (notification.applied.some(({ isScrubbed }) => isScrubbed)) replayed.scrubbed.add(notification.streamId)
    await inboxStore(scratch.db).addEmpty(notification.id, notification.source)
    rest.push(
      ...(await replayAll(
        scratch,
        notification.applied.map((applied) => ({ ...notification, applied })),
      )),
    )
  }
  // An event of a payment that came before the payment: it was added once that was known.
  for (let before = Number.POSITIVE_INFINITY; rest.length < before; ) {
    before = rest.length
    rest = await replayAll(scratch, rest)
  }
  await pair(storage, replayed)
  for (const event of await inbox.listOperatorEvents()) await addOperatorEvent(event, replayed)
  return replayed
}

/** Answers those whose payment is not known yet. */
async function replayAll(scratch: Storage, all: readonly ReplayedEvent[]): Promise<ReplayedEvent[]> {
  const rest: ReplayedEvent[] = []
  for (const kept of all) if (!(await replayOne(scratch, kept))) rest.push(kept)
  return rest
}

function replayOne(scratch: Storage, kept: ReplayedEvent): Promise<boolean> {
  return scratch.transaction(async (tx) => {
    const recorded = await replayApplied(tx, kept, scratch)
    // The outcome says to which stream the notification went.
    if (recorded) await writeOutcomes(tx, recorded, { atOnce: { id: kept.id }, at: 0 })
    return recorded !== undefined
  })
}

async function pair(storage: Storage, { scratch, there, here }: Replayed): Promise<void> {
  const streams = new Map<string, string>()
  for await (const { id, streamId } of inboxStore(scratch.db).applied()) streams.set(id, streamId)
  for await (const { id, streamId } of inboxStore(storage.db).applied()) {
    const other = streams.get(id)
    if (other !== undefined) join(streamId, other, { there, here })
  }
}

function join(streamId: string, other: string, { there, here }: Pick<Replayed, 'there' | 'here'>): void {
  there.set(streamId, (there.get(streamId) ?? new Set()).add(other))
  here.set(other, (here.get(other) ?? new Set()).add(streamId))
}

async function addOperatorEvent(event: OperatorEvent, { scratch, there, here }: Replayed): Promise<void> {
  const [other] = there.get(event.streamId) ?? []
  const streamId = await scratch.transaction((tx) => replayOperatorEvent(tx, event, { streamId: other, storage: scratch }))
  if (other === undefined) join(event.streamId, streamId, { there, here })
}
