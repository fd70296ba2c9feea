/** The service's answer to the last retry on this page. */
export interface Retried {
  /** The notification's. */
  id: string
  state: 'busy' | 'done' | 'refused'
  /** Why not: a reason of the API, where it has one. */
  reason?: string | undefined
}
