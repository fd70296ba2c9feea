import { type ChangeFeed, createMemory } from '../changes/index.ts'
import type { Storage } from '../storage/index.ts'
import { type OfferedProvider, providerStore } from './store.ts'

/** Answers the providers that a sign-in page offers, ordered by name, from memory. A sign-in through one reads it from the database. */
export type ListOfferedProviders = () => Promise<readonly OfferedProvider[]>

export function createOfferedProviders({
  storage,
  changes,
}: {
  storage: Storage
  changes: Pick<ChangeFeed, 'follow'>
}): ListOfferedProviders {
  return createMemory(() => providerStore(storage.db).listOffered(), { changes, kind: 'providers_changed' }).get
}
