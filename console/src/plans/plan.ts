/** A plan, as the API tells of it. */
export interface Plan {
  id: string
  slug: string
  name: string
  /** Centavos. */
  price: number
  /** The slug of its product; `null` for a plan of the operator. */
  product: string | null
  gateway_refs: Array<{ gateway: string; ref: string }>
}
