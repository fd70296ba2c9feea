import type { ListedDelivery, LoggedAttempt, LoggedDelivery, LoggedEvent } from '../../event-delivery/index.ts'
import { isoTime } from '../../kit/index.ts'

/** An event. `data` is null once it is scrubbed. */
export function eventJson({ id, type, productId, subject, occurredAt, data }: LoggedEvent, slugs: ReadonlyMap<string, string>) {
  const product = productId === undefined ? null : (slugs.get(productId) ?? null)
  return { id, type, product, subject, occurred_at: isoTime(occurredAt), data: data === undefined ? null : JSON.parse(data) }
}

/** The same with its deliveries, and each attempt. */
export function eventDetailsJson(
  event: LoggedEvent,
  {
    deliveries,
    attempts,
    slugs,
  }: { deliveries: readonly LoggedDelivery[]; attempts: readonly LoggedAttempt[]; slugs: ReadonlyMap<string, string> },
) {
  return {
    ...eventJson(event, slugs),
    deliveries: deliveries.map(({ endpointId, state, attempts: count, nextAt }) => ({
      endpoint: endpointId,
      state,
      attempts: count,
      next_at: isoTime(nextAt),
      tried: attempts.filter((attempt) => attempt.endpointId === endpointId).map(attemptJson),
    })),
  }
}

/** A delivery in the list of its endpoint. `id` is its event's. */
export function deliveryJson({ endpointId, event, state, attempts, nextAt, last }: ListedDelivery, slugs: ReadonlyMap<string, string>) {
  const { data: _, ...about } = eventJson(event, slugs)
  return { ...about, endpoint: endpointId, state, attempts, next_at: isoTime(nextAt), last_attempt: last ? attemptJson(last) : null }
}

export function attemptJson({ at, ms, status, fault, answer }: Pick<LoggedAttempt, 'at' | 'ms' | 'status' | 'fault' | 'answer'>) {
  return { at: isoTime(at), ms, status: status ?? null, fault: fault ?? null, answer: answer ?? null }
}
