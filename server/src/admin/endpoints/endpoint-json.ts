import { type Endpoint, endpointState } from '../../app-events/index.ts'
import { isoTime } from '../../kit/index.ts'
import { productStore } from '../../products/index.ts'
import type { Queryable } from '../../storage/index.ts'

/** An endpoint without its secret. `product` is a slug; null: the operator's. */
export function endpointJson(endpoint: Endpoint, slugs: ReadonlyMap<string, string>) {
  const { id, productId, url, types, description, disabledReason, failingSince, disabledAt, readyAt, createdAt, previousUntil } = endpoint
  return {
    id,
    product: productId === undefined ? null : (slugs.get(productId) ?? null),
    url,
    types,
    description,
    state: endpointState(endpoint),
    failing_since: isoTime(failingSince),
    disabled_at: isoTime(disabledAt),
    disabled_reason: disabledReason ?? null,
    ready_at: isoTime(readyAt),
    previous_secret_until: isoTime(previousUntil),
    created_at: isoTime(createdAt),
  }
}

export async function readSlugs(db: Queryable): Promise<ReadonlyMap<string, string>> {
  return new Map((await productStore(db).listAll()).map(({ id, slug }) => [id, slug]))
}
