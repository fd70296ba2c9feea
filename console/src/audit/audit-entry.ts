/** One action, in the API's form. */
export interface AuditEntry {
  id: string
  at: string
  actor: string
  action: string
  target: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  reason: string | null
  ip: string | null
}
