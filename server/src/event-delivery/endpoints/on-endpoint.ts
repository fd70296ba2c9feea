import { type Endpoint, endpointStore } from '../../app-events/index.ts'
import type { Actor } from '../../audit/index.ts'
import type { Now } from '../../kit/index.ts'
import type { Storage, Transaction } from '../../storage/index.ts'

export interface EndpointDeps {
  storage: Storage
  now: Now
  actor: Actor
}

export type Held = NonNullable<Awaited<ReturnType<ReturnType<typeof endpointStore>['holdById']>>>

export function onEndpoint<T>(
  id: string,
  { storage, now }: Pick<EndpointDeps, 'storage' | 'now'>,
  work: (tx: Transaction, held: Held, at: number) => Promise<T>,
): Promise<T | { refusal: 'not_found' }> {
  return storage.transaction(async (tx) => {
    const held = await endpointStore(tx).holdById(id)
    return held ? work(tx, held, now()) : { refusal: 'not_found' as const }
  })
}

export async function found(tx: Transaction, id: string): Promise<Endpoint> {
  const endpoint = await endpointStore(tx).findById(id)
  if (!endpoint) throw new Error('an endpoint just written is not there')
  return endpoint
}
