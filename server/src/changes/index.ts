// changes: the feed from which every node learns what its caches must forget. Owns: the changes table, the transaction that ends by writing
// to it, the poll and the notification of other nodes. Does not own: the caches themselves, the effect of a change on them.
export type { Change, ChangedAccess, ChangeEvent } from './change.ts'
export { refusePagesWhileCopied } from './copy-guards.ts'
export { createCopyWatch } from './copy-watch.ts'
export { type Announce, type ChangeFeed, createChangeFeed } from './feed.ts'
export { createMemory, createReadyMemory, type ReadyMemory } from './memory.ts'
export type { Knowledge } from './reader.ts'
export { watchFeed } from './watch.ts'
