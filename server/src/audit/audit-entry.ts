/** One deed. `before` and `after` hold what changed, never a secret; `target` is the id of what was touched. */
export interface AuditEntry {
  /** `user:<id>`, `product:<id>`, `token:<id>`, `operator:cli` or `system`. */
  actor: string
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
  at: number
}

/** The actor of what Portaria does by itself: rotation, housekeeping. */
export const SYSTEM = 'system'
