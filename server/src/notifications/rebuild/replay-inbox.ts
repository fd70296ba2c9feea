import { normaliseEmail } from '../../kit/index.ts'
import { migrate, openStorage, type Storage, type Transaction } from '../../storage/index.ts'
import { addEvent, foldStream, openStream, wholeStream } from '../../subscriptions/index.ts'
import { type AppliedEvent, aliasSource, type NormalizedEvent } from '../notification.ts'
import { recordEvents } from '../streams/batch.ts'
import { matchStream } from '../streams/match-stream.ts'
import { ownRef } from '../streams/own-ref.ts'
import { paymentStore } from '../streams/payment-store.ts'
import type { Resolved } from '../streams/resolve-event.ts'
import { type AppliedNotification, inboxStore, type OperatorEvent } from './inbox-store.ts'

/** The history made again in a database of its own, and which streams are there for which. */
export interface Replayed {
  scratch: Storage
  /** By stream, the streams there to which its notifications went; and the reverse. */
  there: Map<string, Set<string>>
  here: Map<string, Set<string>>
  notifications: number
  /** Streams with a notification of which nothing was kept: they can't be compared. */
  unknown: Set<string>
  /** Streams with a notification from which addresses were taken: none are compared. */
  scrubbed: Set<string>
}

/** Adds what notifications brought to an empty history in memory, then what the operator did. The caller closes the scratch database. */
export async function replayInbox({ storage }: { storage: Storage }): Promise<Replayed> {
  const scratch = await openStorage({ dialect: 'sqlite', file: ':memory:' })
  await migrate(scratch)
  const inbox = inboxStore(storage.db)
  await inboxStore(scratch.db).copyGrace(storage.db)
  const replayed: Replayed = { scratch, there: new Map(), here: new Map(), notifications: 0, unknown: new Set(), scrubbed: new Set() }
  let rest: Kept[] = []
  for await (const notification of inbox.applied()) {
    replayed.notifications += 1
    if (notification.applied.length === 0) replayed.unknown.add(notification.streamId)
    if (notification.applied.some(({ isScrubbed }) => isScrubbed)) replayed.scrubbed.add(notification.streamId)
    await inboxStore(scratch.db).addEmpty(notification.id, notification.source)
    rest.push(
      ...(await replayAll(
        scratch,
        notification.applied.map((one) => ({ ...notification, one })),
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

type Kept = Omit<AppliedNotification, 'applied'> & { one: AppliedEvent }

/** Answers those that say of no payment that is known by now. */
async function replayAll(scratch: Storage, all: readonly Kept[]): Promise<Kept[]> {
  const rest: Kept[] = []
  for (const kept of all) if (!(await scratch.transaction((tx) => replay(tx, kept, scratch)))) rest.push(kept)
  return rest
}

async function replay(tx: Transaction, { id, source: sender, streamId, one }: Kept, scratch: Storage): Promise<boolean> {
  const normalized = { ...one.normalized, stream: withoutBuyer(one.normalized.stream, streamId) }
  const { stream, event } = normalized
  const source = aliasSource(sender, normalized)
  const match = stream.by === 'gateway' ? await matchStream(tx, source, { stream, kind: event.kind }) : undefined
  const ref = stream.by === 'gateway' ? match?.ref : ownRef(stream, undefined)
  if (ref === undefined) return false
  const found: Resolved = {
    ref,
    email: emailOf(normalized),
    plan: { planId: one.planId, productId: one.productId },
    paymentId: match ? match.paymentId : event.paymentId,
    ...(match && { match }),
    ...(one.period && { period: { periodStart: one.period.periodStart, periodEnd: one.period.periodEnd } }),
  }
  const deps = { announce: () => {}, storage: scratch, at: event.at }
  await recordEvents(tx, (add) => add({ notificationId: id, source, normalized }, found), deps)
  return true
}

/**
 * A stream that is named by its buyer is named here by where it went: whose an address was on that day, and how it was written, is kept of
 * nobody who is forgotten.
 */
function withoutBuyer(stream: NormalizedEvent['stream'], streamId: string): NormalizedEvent['stream'] {
  const own = { by: 'own', ref: `buyer ${streamId}` } as const
  if (stream.by === 'buyer') return own
  return stream.by === 'gateway' && stream.own?.stream.by === 'buyer' ? { ...stream, own: { ...stream.own, stream: own } } : stream
}

/** Of what the own checkout tells, only a payment says whose it is. */
function emailOf({ stream, event, email }: NormalizedEvent): string | undefined {
  const isOwn = stream.by !== 'gateway' || stream.own !== undefined
  return email === undefined || (isOwn && event.kind !== 'paid') ? undefined : normaliseEmail(email)
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

/** What the operator did stands in no notification: it is taken as it is stored, with its payment's name in the new history. */
async function addOperatorEvent({ streamId, source, ref, productId, event }: OperatorEvent, replayed: Replayed): Promise<void> {
  const { scratch, there, here } = replayed
  await scratch.transaction(async (tx) => {
    const deps = { announce: () => {}, storage: scratch, at: event.at }
    const [other] = there.get(streamId) ?? []
    const stream = other === undefined ? await openStream(tx, { source, ref }, { productId, at: event.at }) : await wholeStream(tx, other)
    if (other === undefined) join(streamId, stream.id, { there, here })
    const names = event.paymentId === undefined || productId === undefined ? [] : [event.paymentId]
    const [known] = await paymentStore(tx).find(source, productId ?? '', names)
    const named = { ...event, paymentId: known?.paymentId ?? event.paymentId }
    await addEvent(tx, stream, { event: named, notificationId: undefined, planBy: 'either' }, deps)
    await foldStream(tx, stream, { only: undefined }, deps)
  })
}
