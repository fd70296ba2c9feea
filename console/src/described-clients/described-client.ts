/** A client that describes itself, as the API shows it. */
export interface DescribedClient {
  id: string
  client_id: string
  state: 'allowed' | 'refused'
  sessions: number
  first_seen_at: string
  last_seen_at: string
  refused_at: string | null
}
