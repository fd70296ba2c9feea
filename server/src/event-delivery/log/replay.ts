import { endpointStore } from '../../app-events/index.ts'
import { type Actor, recordAudit } from '../../audit/index.ts'
import { isoTime, type Now } from '../../kit/index.ts'
import { inPortions, PORTION_MS, type Storage } from '../../storage/index.ts'
import { healthStore } from '../health-store.ts'
import { eventLogStore } from './event-log-store.ts'
import { countFailed, countSince, replayEvent, replayFailed, replayPortion } from './replay-store.ts'

interface Deps {
  storage: Storage
  now: Now
  actor: Actor
}

/** Delivers one event again to each of its endpoints, or to one of them, with the same id. A pause of that one is over. */
export function replayOne(
  eventId: string,
  endpointId: string | undefined,
  { storage, now, actor }: Deps,
): Promise<{ replayed: number } | { refusal: 'not_found' }> {
  return storage.transaction(async (tx) => {
    if (!(await eventLogStore(tx).find(eventId))) return { refusal: 'not_found' }
    const replayed = await replayEvent(tx, { eventId, endpointId }, now())
    if (endpointId !== undefined && replayed > 0) await healthStore(tx).endPause(endpointId)
    await recordAudit(
      tx,
      { actor, action: 'endpoint.replay_event', target: eventId, after: { endpoint: endpointId ?? null, replayed } },
      now(),
    )
    return { replayed }
  })
}

/** The number of events that `replayToEndpoint` would deliver at this moment; 10,000: or more. */
export async function countMissed(
  id: string,
  what: 'failed' | { since: number },
  { storage, now }: Pick<Deps, 'storage' | 'now'>,
): Promise<{ count: number } | { refusal: 'not_found' }> {
  const endpoint = await endpointStore(storage.db).findById(id)
  if (!endpoint) return { refusal: 'not_found' }
  if (what === 'failed') return { count: await countFailed(storage.db, id, now()) }
  const scope = { endpointId: id, productId: endpoint.productId, types: endpoint.types }
  return { count: await countSince(storage.db, scope, what.since, now()) }
}

/**
 * Delivers everything again that has failed at an endpoint, given up or waiting for its next attempt, or everything since a time (ms),
 * which it may have missed. A pause is over: who asks for it now knows of the app's mend.
 */
export async function replayToEndpoint(
  id: string,
  what: 'failed' | { since: number },
  { storage, now, actor }: Deps,
): Promise<{ replayed: number } | { refusal: 'not_found' }> {
  const endpoint = await endpointStore(storage.db).findById(id)
  if (!endpoint) return { refusal: 'not_found' }
  let replayed = 0
  if (what === 'failed') replayed = await replayFailed(storage, id, now)
  else {
    const scope = { endpointId: id, productId: endpoint.productId, types: endpoint.types }
    let after: string | undefined
    await inPortions(
      async (size) => {
        const portion = await storage.transaction((tx) => replayPortion(tx, scope, { since: what.since, after, size, at: now() }))
        replayed += portion.replayed
        after = portion.last
        return portion.events
      },
      { portionMs: PORTION_MS[storage.address.dialect] },
    )
  }
  await healthStore(storage.db).endPause(id)
  const after = { ...(what === 'failed' ? { what } : { since: isoTime(what.since) }), replayed }
  await recordAudit(storage.db, { actor, action: 'endpoint.replay', target: id, after }, now())
  return { replayed }
}
