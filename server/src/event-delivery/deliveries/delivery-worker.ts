import type { SealedEndpoint } from '../../app-events/index.ts'
import { type Clock, fixOnSetBack } from '../../kit/index.ts'
import { createLooks, type Outbox } from '../../outbox/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { MailDeps } from '../mail-owners.ts'
import { type Claimed, claimDeliveries, findClaimed, giveBack } from './claim-store.ts'
import { listDueEndpoints } from './due-store.ts'
import type { Outcome } from './outcome-store.ts'
import { createOutcomeWriter } from './outcome-writer.ts'
import { retryWait } from './retries.ts'
import { type Attempt, asksForPause, hasArrived, type SendDeps, send } from './send.ts'
import { fixTimesAhead } from './set-back-store.ts'

/** The most deliveries under way. Endpoints that hang hold one place each. */
const MAX_AT_ONCE = 256

const OF_ENDPOINT = 8

/** The deliveries of one claim, for each that is sent at a time. They are sent within the lease: three rounds of 15 s. */
const ROUNDS = 3

const LEASE_MS = 120_000

/** The endpoint of a delivery that was claimed longer ago is read again before the delivery is sent. */
const FRESH_MS = 1_000

export interface DeliveryDeps extends SendDeps, MailDeps, Pick<Clock, 'setBacks'> {
  storage: Storage
  /** The database's time, which decides who has claimed a delivery. */
  leaseTime: () => Promise<number>
  onFault: (error: unknown) => void
  onAttempt: (result: 'delivered' | 'failed') => void
  /** From 0 to 1. */
  random?: () => number
}

/**
 * Sends the deliveries that are due, with a lane for each endpoint: one that hangs delays no other. An endpoint that fails gets one
 * delivery at a time, until one has arrived. A delivery may arrive twice, with the same id.
 */
export function createDeliveryWorker(deps: DeliveryDeps): Pick<Outbox, 'start' | 'stop' | 'wake'> {
  const lanes = new Set<string>()
  /** When an endpoint last had its turn, as a number that rises. */
  const turns = new Map<string, number>()
  let turn = 0
  const running = new Set<Promise<void>>()
  const writer = createOutcomeWriter(deps)
  const fixAfterSetBack = fixOnSetBack(deps, async () => {
    await writer.flush()
    await fixTimesAhead(deps.storage, deps.now())
  })
  let places = MAX_AT_ONCE

  /** One claim of one endpoint, delivered a few at a time. `nothing`: to the database's clock nothing is due yet. */
  const runLane = async (endpoint: SealedEndpoint, width: number) => {
    const at = deps.now()
    const limit = endpoint.failingSince === undefined ? width * ROUNDS : 1
    const claimedAt = await deps.leaseTime()
    const until = claimedAt + LEASE_MS
    const claimed = await claimDeliveries(deps.storage, { endpointId: endpoint.id, limit, now: claimedAt, until })
    if (claimed.length === 0) return 'nothing'
    const unsent = new Set(claimed.map(({ message }) => message.id))
    const next = claimed.values()
    let isPaused = false
    const work = async () => {
      for (const delivery of next) {
        if (isPaused || looks.isStopped()) return
        const eventId = delivery.message.id
        const isFresh = Math.abs(deps.now() - at) <= FRESH_MS
        const now = isFresh ? endpoint : await findClaimed(deps.storage.db, { endpointId: endpoint.id, eventId, until }, deps.now())
        if (!now) continue // it waits, or is over
        unsent.delete(eventId)
        if (asksForPause(await deliver(now, delivery, until))) isPaused = true
      }
    }
    const ended = await Promise.allSettled(Array.from({ length: width }, work))
    await writer.flush()
    if (unsent.size > 0) await giveBack(deps.storage.db, { endpointId: endpoint.id, eventIds: [...unsent], until }, deps.now())
    for (const one of ended) if (one.status === 'rejected') throw one.reason
    return 'done'
  }
  const deliver = async (endpoint: SealedEndpoint, { message, attempts }: Claimed, until: number): Promise<Attempt> => {
    const attempt = await send(endpoint, message, deps)
    deps.onAttempt(hasArrived(attempt) ? 'delivered' : 'failed')
    writer.add({ endpointId: endpoint.id, eventId: message.id, until, attempt, ...nextOf(attempt, attempts, deps) })
    return attempt
  }
  const look = async () => {
    await fixAfterSetBack()
    const due = await listDueEndpoints(deps.storage.db, deps.now())
    // The endpoint that has waited longest comes first. Otherwise the first ones of the list would have every place again and again.
    for (const endpoint of due.toSorted((one, other) => (turns.get(one.id) ?? 0) - (turns.get(other.id) ?? 0))) {
      const width = Math.min(places, endpoint.failingSince === undefined ? OF_ENDPOINT : 1)
      if (looks.isStopped() || width === 0) return
      if (lanes.has(endpoint.id)) continue
      lanes.add(endpoint.id)
      turns.set(endpoint.id, ++turn)
      places -= width
      const run = runLane(endpoint, width)
        .catch((fault) => void deps.onFault(fault)) // the lease expires, and the deliveries come again
        .then((outcome) => {
          lanes.delete(endpoint.id)
          places += width
          running.delete(run)
          // Looking again at once would go round and round until the database's clock is as late as this one.
          if (outcome !== 'nothing') looks.wake()
        })
      running.add(run)
    }
  }
  const looks = createLooks(look, deps.onFault)
  return {
    wake: looks.wake,
    start: looks.start,
    async stop() {
      await looks.stop()
      await Promise.all(running)
      await writer.flush()
    },
  }
}

function nextOf(attempt: Attempt, attempts: number, { now, random = Math.random }: DeliveryDeps): Pick<Outcome, 'state' | 'nextAt'> {
  if (hasArrived(attempt)) return { state: 'delivered', nextAt: undefined }
  const wait = retryWait(attempts, random())
  if (wait === undefined) return { state: 'failed', nextAt: undefined }
  return { state: 'pending', nextAt: now() + Math.max(wait, attempt.retryAfterMs ?? 0) }
}
