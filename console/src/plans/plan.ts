/** A plan, as the API shows it. */
export interface Plan {
  id: string
  slug: string
  name: string
  /** Centavos. */
  price: number
  /** Whether a payment below the price counts, or is pending for the operator. */
  below_price: 'apply' | 'hold'
  /** The slug of its product; `null` for a plan of the operator. */
  product: string | null
  gateway_refs: Array<{ gateway: string; ref: string }>
}
