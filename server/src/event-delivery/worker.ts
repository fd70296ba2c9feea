import type { SealedEndpoint } from '../app-events/index.ts'
import { type Clock, fixOnSetBack } from '../kit/index.ts'
import type { Outbox } from '../outbox/index.ts'
import type { Storage } from '../storage/index.ts'
import { type Claimed, claimDeliveries, listDueEndpoints, type Outcome, writeOutcomes } from './delivery-store.ts'
import { judgeEndpoint } from './health.ts'
import type { MailDeps } from './mail-owners.ts'
import { retryWait } from './retries.ts'
import { type Attempt, hasArrived, type SendDeps, send } from './send.ts'
import { fixTimesAhead } from './set-back-store.ts'

const POLL_MS = 1_000
/** All deliveries under way. Endpoints that hang hold one place each. */
const MAX_AT_ONCE = 256
const OF_ENDPOINT = 8
/** Claimed in one statement, and delivered within the lease: four rounds of 15 s. */
const CLAIM = 24
const LEASE_MS = 120_000
/** Attempts are written down together. */
const WRITE_AFTER_MS = 20

export interface DeliveryDeps extends SendDeps, MailDeps, Pick<Clock, 'setBacks'> {
  storage: Storage
  onFault: (error: unknown) => void
  onAttempt: (result: 'delivered' | 'failed') => void
  /** From 0 to 1. */
  random?: () => number
}

/**
 * Delivers what is due, with a lane for each endpoint: one that hangs holds up nobody. One that fails gets one delivery at a time, until
 * one has arrived. A delivery may arrive twice, with the same id.
 */
export function createDeliveryWorker(deps: DeliveryDeps): Pick<Outbox, 'start' | 'stop' | 'wake'> {
  const lanes = new Set<string>()
  const running = new Set<Promise<void>>()
  const writer = createWriter(deps)
  const fixAfterSetBack = fixOnSetBack(deps, async () => {
    await writer.flush()
    await fixTimesAhead(deps.storage.db, deps.now())
  })
  let places = MAX_AT_ONCE
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let lookAgain = false
  let stopped = false

  /** One claim of one endpoint, delivered a few at a time. */
  const runLane = async (endpoint: SealedEndpoint, width: number) => {
    const at = deps.now()
    const limit = endpoint.failingSince === undefined ? CLAIM : 1
    const claimed = await claimDeliveries(deps.storage, { endpointId: endpoint.id, limit, now: at, until: at + LEASE_MS })
    const next = claimed.values()
    const work = async () => {
      for (const delivery of next) {
        if (stopped) return // the lease expires
        await deliver(endpoint, delivery)
      }
    }
    await Promise.all(Array.from({ length: width }, work))
    await writer.flush()
  }
  const deliver = async (endpoint: SealedEndpoint, { message, attempts }: Claimed) => {
    const attempt = await send(endpoint, message, deps)
    deps.onAttempt(hasArrived(attempt) ? 'delivered' : 'failed')
    writer.add({ endpointId: endpoint.id, eventId: message.id, attempt, ...nextOf(attempt, attempts, deps) })
  }
  const look = async () => {
    await fixAfterSetBack()
    for (const endpoint of await listDueEndpoints(deps.storage.db, deps.now())) {
      const width = Math.min(places, endpoint.failingSince === undefined ? OF_ENDPOINT : 1)
      if (stopped || width === 0) return
      if (lanes.has(endpoint.id)) continue
      lanes.add(endpoint.id)
      places -= width
      const run = runLane(endpoint, width)
        .catch(deps.onFault) // the lease expires, and the deliveries come again
        .finally(() => {
          lanes.delete(endpoint.id)
          places += width
          running.delete(run)
          wake()
        })
      running.add(run)
    }
  }
  const wake = () => {
    if (stopped) return
    lookAgain = looking !== undefined
    looking ??= look()
      .catch(deps.onFault)
      .finally(() => {
        looking = undefined
        if (lookAgain) wake()
      })
  }
  return {
    wake,
    start() {
      timer = setInterval(wake, POLL_MS).unref()
      wake()
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      await looking
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

/** Collects the ends of attempts for a moment, and writes them in one transaction. */
function createWriter({ storage, now, onFault, ...deps }: Pick<DeliveryDeps, 'storage' | 'now' | 'onFault' | keyof MailDeps>) {
  let waiting: Outcome[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  const write = async (outcomes: readonly Outcome[]) => {
    if (outcomes.length === 0) return
    await storage.transaction(async (tx) => {
      // In one order, so that no two nodes wait for each other.
      const byEndpoint = [...Map.groupBy(outcomes, ({ endpointId }) => endpointId)].sort(([a], [b]) => (a < b ? -1 : 1))
      for (const [id, own] of byEndpoint) await judgeEndpoint(tx, { id, outcomes: own, at: now() }, deps)
      await writeOutcomes(tx, outcomes)
    })
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const outcomes = waiting
    waiting = []
    writing = writing.then(() => write(outcomes)).catch(onFault)
    return writing
  }
  return {
    flush,
    add(outcome: Outcome) {
      waiting.push(outcome)
      timer ??= setTimeout(() => void flush(), WRITE_AFTER_MS)
    },
  }
}
