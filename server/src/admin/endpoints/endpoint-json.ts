import { type Endpoint, endpointState } from '../../app-events/index.ts'
import { disablesAt, readEndpointHealth } from '../../event-delivery/index.ts'
import { isoTime } from '../../kit/index.ts'
import { productStore } from '../../products/index.ts'
import type { Queryable } from '../../storage/index.ts'

/** An endpoint without its secret. `product` is a slug; null: the operator's. */
export async function endpointJson(endpoint: Endpoint, { db, slugs }: { db: Queryable; slugs: ReadonlyMap<string, string> }) {
  const { id, productId, url, types, description, disabledReason, failingSince, disabledAt, readyAt, createdAt, previousUntil } = endpoint
  const { waiting, lastSuccessAt } = await readEndpointHealth(db, id)
  const ends =
    failingSince === undefined || disabledAt !== undefined ? undefined : disablesAt({ failingSince, warnedAt: endpoint.warnedAt })
  return {
    id,
    product: productId === undefined ? null : (slugs.get(productId) ?? null),
    url,
    types,
    description,
    state: endpointState(endpoint),
    failing_since: isoTime(failingSince),
    disables_at: isoTime(ends),
    disabled_at: isoTime(disabledAt),
    disabled_reason: disabledReason ?? null,
    ready_at: isoTime(readyAt),
    last_success_at: isoTime(lastSuccessAt),
    waiting,
    previous_secret_until: isoTime(previousUntil),
    created_at: isoTime(createdAt),
  }
}

export async function readSlugs(db: Queryable): Promise<ReadonlyMap<string, string>> {
  return new Map((await productStore(db).listAll()).map(({ id, slug }) => [id, slug]))
}

/** How many fail, and how many were disabled by failures. */
export function countTroubled(endpoints: readonly Endpoint[]): { failing: number; disabled: number } {
  const failing = endpoints.filter((endpoint) => endpointState(endpoint) === 'failing').length
  return {
    failing,
    disabled: endpoints.filter(({ disabledAt, disabledReason }) => disabledAt !== undefined && disabledReason !== 'operator').length,
  }
}
