import { isDeepStrictEqual } from 'node:util'
import { compareSubscriptions, type Difference, type StoredStream, storedStore } from '../../payment-history/index.ts'
import type { Storage } from '../../storage/index.ts'
import { type Replayed, replayInbox } from './replay-inbox.ts'

const PAGE = 200

/** A stored part of a stream, its subscriptions excepted, that does not follow from the notifications. */
export interface StreamDifference {
  streamId: string
  source: string
  ref: string
  says: string
}

interface CheckedInbox {
  notifications: number
  streams: number
  /** Streams with a notification of which nothing was kept. */
  skipped: number
  differences: Array<Difference | StreamDifference>
}

/**
 * Makes the whole history again in memory, from the notifications, and compares its streams, events and subscriptions with the stored ones.
 * Writes nothing. No notifications may come in meanwhile: each would be a difference.
 */
export async function checkInbox({
  storage,
  onNotification,
}: {
  storage: Storage
  onNotification?: (count: number) => void
}): Promise<CheckedInbox> {
  const replayed = await replayInbox({ storage, ...(onNotification && { onNotification }) })
  try {
    const { notifications, unknown } = replayed
    const checked: CheckedInbox = { notifications, streams: 0, skipped: unknown.size, differences: [] }
    for (let after = ''; ; ) {
      const page = await storedStore(storage.db).page(after, PAGE)
      for (const stream of page) {
        if (unknown.has(stream.id)) continue
        checked.streams += 1
        checked.differences.push(...(await compareOne(stream, replayed)))
      }
      const last = page.at(-1)
      if (!last || page.length < PAGE) return checked
      after = last.id
    }
  } finally {
    await replayed.scratch.close()
  }
}

async function compareOne(
  stream: StoredStream,
  { scratch, there, here, scrubbed }: Replayed,
): Promise<Array<Difference | StreamDifference>> {
  const { id: streamId, source, ref, events, subscriptions } = stream
  const differs = (says: string) => ({ streamId, source, ref, says })
  const [other, ...more] = there.get(streamId) ?? []
  if (other === undefined) return events.length + subscriptions.length === 0 ? [] : [differs('no notification speaks of it')]
  if (more.length > 0) return [differs(`it is one stream, and the notifications make ${more.length + 1} of it`)]
  const together = [...(here.get(other) ?? [])].filter((id) => id !== streamId)
  if (together.length > 0) return [differs(`the notifications make one stream of it and ${together.join(', ')}`)]
  const made = await storedStore(scratch.db).findById(other)
  if (!made) return [differs('no notification speaks of it')]
  const hide = (whole: StoredStream) => (scrubbed.has(streamId) ? withoutAddresses(whole) : whole)
  return [
    ...compareSubscriptions(
      hide(stream),
      hide(made).subscriptions.map((one) => ({ ...one, productId: made.productId })),
    ),
    ...compareEvents(hide(stream), hide(made)).map(differs),
  ]
}

function withoutAddresses(stream: StoredStream): StoredStream {
  const without = <T extends object>(all: readonly T[]) => all.map((one) => ({ ...one, email: undefined }))
  return { ...stream, events: without(stream.events), subscriptions: without(stream.subscriptions) }
}

/**
 * Compares events. A payment may have another name in the new history: it is the same payment if one name stands for the other in all
 * events.
 */
function compareEvents(stored: StoredStream, made: StoredStream): string[] {
  const others = new Map(made.events.map((event) => [event.key, event]))
  const names = new Map<string | undefined, string | undefined>()
  const back = new Map<string | undefined, string | undefined>()
  const missing = made.events.filter(({ key }) => !stored.events.some((event) => event.key === key))
  const said = stored.events.flatMap((event) => {
    const other = others.get(event.key)
    if (!other) return [`no notification brings its event ${event.key}`]
    const { paymentId, ...rest } = event
    const { paymentId: otherId, ...otherRest } = other
    if (!names.has(paymentId)) names.set(paymentId, otherId)
    if (!back.has(otherId)) back.set(otherId, paymentId)
    const isOtherPayment = names.get(paymentId) !== otherId || back.get(otherId) !== paymentId
    const fields = Object.keys(rest).filter((name) => !isDeepStrictEqual(Reflect.get(rest, name), Reflect.get(otherRest, name)))
    const all = [...fields, ...(isOtherPayment ? ['paymentId'] : [])]
    return all.length === 0 ? [] : [`its event ${event.key} differs from the notifications in ${all.join(', ')}`]
  })
  return [...said, ...missing.map(({ key }) => `the event ${key} of a notification is missing`)]
}
