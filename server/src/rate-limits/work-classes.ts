/**
 * The classes of work, each with a budget of its own, so that a storm of one leaves the others alone. `checks`: questions of apps and
 * proxies, and verifications. `providers`: what waits for the servers of others. `passwords`: what computes a password's hash.
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
 * In one process. What costs a millisecond or more has few in progress, since what goes on after a pause is not begun anew.
 * Notifications gain from company, as those that come together share a commit; a password's own queue is shorter than what is in
 * progress here, so that a form can still say so; a provider may take eight seconds, in which the process has nothing to do.
 */
export const BUDGETS: Readonly<Record<WorkClass, Budget>> = {
  // One that is shed says that nobody is signed in: it waits for as long as an app may.
  checks: { atOnce: 16, inLine: 304, maxWait: 5_000 },
  pages: { atOnce: 128, inLine: 128, maxWait: 1_000 },
  providers: { atOnce: 256, inLine: 64, maxWait: 1_000 },
  // Their number alone bounds them: who has typed a password waits a moment rather than types it again. They may all come in one turn.
  passwords: { atOnce: 96, inLine: 128, maxWait: 30_000 },
  notifications: { atOnce: 64, inLine: 256, maxWait: 1_000 },
  admin: { atOnce: 8, inLine: 120, maxWait: 1_000 },
}
