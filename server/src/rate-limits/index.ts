// rate-limits: how often something may happen. Owns: counters with a window, in the database, so that all nodes agree. Does not own: the
// limited actions; each use case names its own keys.

export type { Limit, LimitStore } from './limit.ts'
export { forgetOldLimits, limitStore } from './store.ts'
