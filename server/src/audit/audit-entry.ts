/**
 * Who does an action: `user:<id>`, `product:<id>`, `token:<id>`, `operator:cli` or `system`; or the same with the network address it is
 * done from, and why.
 */
export type Actor = string | { name: string; ip?: string | undefined; reason?: string | undefined }

/**
 * One action. `before` and `after` hold what changed, never a secret; `target` is the id of what was touched. `reason` and `ip` stand above
 * those of the actor.
 */
export interface AuditEntry {
  actor: Actor
  /** `noun.verb`, as in `user.disable`. */
  action: string
  target: string
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  reason?: string
  ip?: string
}

export interface AuditRecord extends AuditEntry {
  id: string
  actor: string
  at: number
}

/** The actor of what Portaria does by itself: rotation, housekeeping. */
export const SYSTEM = 'system'
