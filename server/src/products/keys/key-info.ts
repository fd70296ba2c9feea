/** An API key without its secret: the key itself is stored as a hash. */
export interface ApiKeyInfo {
  id: string
  hint: string
  createdAt: number
  revokedAt: number | undefined
  /** Accurate to some minutes; `undefined`: no use since uses are noted. */
  lastUsedAt: number | undefined
}

/** A webhook key can be shown again: it is part of an address that the operator types into a gateway's dashboard. */
export interface WebhookKeyInfo {
  id: string
  key: string
  createdAt: number
  revokedAt: number | undefined
}
