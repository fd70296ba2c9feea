/** A job of the outbox: a mail, or a request to a gateway. Its content never leaves the service. */
export interface Job {
  id: string
  kind: string
  state: 'pending' | 'running' | 'dead'
  attempts: number
  created_at: string
  run_at: string
  /** When it was given up: only the operator retries it. */
  dead_at: string | null
  last_error: string | null
}

export const jobPath = (id: string) => `/jobs/${encodeURIComponent(id)}/show`
