/** Work that follows a commit: a mail, a question to a gateway. What is in it never leaves the service. */
export interface Job {
  id: string
  kind: string
  state: 'waiting' | 'under_way' | 'dead'
  attempts: number
  created_at: string
  run_at: string
  /** When it was given up: nobody tries it again by itself. */
  dead_at: string | null
  last_error: string | null
}

export const jobPath = (id: string) => `/jobs/${encodeURIComponent(id)}/show`
