export const RUN_STATES = ['running', 'done', 'stopped'] as const
export type RunState = (typeof RUN_STATES)[number]

/** A run: the service processes again every notification that waits or failed since a moment. Times in ms. */
export interface NotificationRun {
  id: string
  since: number
  state: RunState
  /** The actor who began it, as the audit log names them. */
  actor: string
  /** Whether it may process purchases of users with a role. */
  mayConcernRoles: boolean
  total: number
  processed: number
  asked: number
  /** The number of notifications that still wait, by reason. */
  pending: Readonly<Record<string, number>>
  afterId: string
  lastId: string
  createdAt: number
  updatedAt: number
  finishedAt: number | undefined
}

/**
 * The numbers of notifications since a moment that are open. `awaitingGateway`: their gateways are being asked already, so a run leaves
 * them alone.
 */
export interface OpenSince {
  unresolved: number
  failed: number
  awaitingGateway: number
  lastId: string | undefined
}
