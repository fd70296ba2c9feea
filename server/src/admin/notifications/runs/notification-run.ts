export const RUN_STATES = ['running', 'done', 'stopped'] as const
export type RunState = (typeof RUN_STATES)[number]

/** What the service does once more: everything that waits or failed since a moment. Times in ms. */
export interface NotificationRun {
  id: string
  since: number
  state: RunState
  /** Who began it, as the audit log names them. */
  actor: string
  /** Whether purchases of users with a role are among them. */
  mayConcernRoles: boolean
  total: number
  processed: number
  asked: number
  /** How many wait on, by reason. */
  pending: Readonly<Record<string, number>>
  afterId: string
  lastId: string
  createdAt: number
  updatedAt: number
  finishedAt: number | undefined
}

/** What there is to do since a moment. `awaitingGateway`: they are being asked already, and are left alone. */
export interface OpenSince {
  unresolved: number
  failed: number
  awaitingGateway: number
  lastId: string | undefined
}
