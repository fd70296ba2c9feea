// rate-limits: how often something may happen, and how much at a time. Owns: counters with a window, in the database, so that all nodes
// agree; the budgets of work in progress, in memory, for each process. Does not own: the limited actions; each use case names its own keys.

export { type Admission, createAdmission } from './admission.ts'
export type { Limit, LimitStore } from './limit.ts'
export { forgetOldLimits, limitStore } from './store.ts'
export type { WorkClass } from './work-classes.ts'
