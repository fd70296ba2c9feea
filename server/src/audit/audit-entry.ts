/**
 * The actor: `user:<id>`, `product:<id>`, `token:<id>`, `operator:cli` or `system`; or the same with their network address and a reason.
 */
export type Actor = string | { name: string; ip?: string | undefined; reason?: string | undefined }

/**
 * One action. `before` and `after` hold the change, never a secret; `target` is the id of the changed thing. `reason` and `ip` take
 * precedence over the actor's.
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

/** The actor of Portaria's own actions: rotation, housekeeping. */
export const SYSTEM = 'system'
