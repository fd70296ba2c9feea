/**
 * The classes of work, each with a budget of its own, so that a storm of one leaves the others alone. `checks`: questions of apps and
 * proxies, and verifications. `providers`: requests that wait for the servers of others. `passwords`: requests that compute a password's
 * hash.
 */
export const WORK_CLASSES = ['checks', 'pages', 'providers', 'passwords', 'notifications', 'admin'] as const

export type WorkClass = (typeof WORK_CLASSES)[number]

export interface Budget {
  /** In progress at a time. */
  atOnce: number
  /** Further ones that may wait for their turn. */
  inLine: number
  /** Ms. Work that has waited for longer is shed: its sender may have given up, and would come again behind it. */
  maxWait: number
}

/**
 * The budgets of one process. A class whose requests cost a millisecond or more has few in progress: a request that goes on after a pause
 * is not held back again. Notifications that come together share a commit, so more of them may be in progress. The queue of passwords is
 * shorter than their number here, so that a form can still tell that it is full. A provider may take eight seconds, in which the process
 * has nothing to do.
 */
export const BUDGETS: Readonly<Record<WorkClass, Budget>> = {
  checks: { atOnce: 16, inLine: 304, maxWait: 5_000 },
  pages: { atOnce: 128, inLine: 128, maxWait: 5_000 },
  providers: { atOnce: 256, inLine: 64, maxWait: 5_000 },
  // Their number alone bounds them: a user who has typed a password waits a moment rather than types it again. All may come in one turn of
  // the event loop.
  passwords: { atOnce: 96, inLine: 128, maxWait: 30_000 },
  notifications: { atOnce: 64, inLine: 256, maxWait: 5_000 },
  // People who are known: one who is shed clicks again.
  admin: { atOnce: 8, inLine: 120, maxWait: 10_000 },
}
