// Work done after the answer.

export interface OutboxTables {
  outbox: OutboxRow
  outbox_lanes: OutboxLaneRow
}

export interface OutboxRow {
  id: string
  kind: string
  /** Empty where `payload` is set. */
  payload_sealed: string
  /** In the clear, of kinds whose payload is ids alone. */
  payload: string | null
  attempts: number
  run_at: number
  leased_until: number | null
  dead_at: number | null
  last_error: string | null
  created_at: number
  /** The API that it asks; mails have none. */
  lane: string | null
}

export interface OutboxLaneRow {
  lane: string
  paused_until: number
}
