/** Money that was paid or given back, as the API shows it. */
export interface Transaction {
  id: string
  at: string
  kind: 'payment' | 'payment_undone' | 'refund' | 'refund_failed' | 'dispute_lost' | 'dispute_won'
  /** In the smallest unit, negative where money goes back; `null`: nobody says how much. */
  amount: number | null
  currency: string
  payment_id: string | null
  subscription_id: string
  plan_slug: string | null
  /** The slug. */
  product: string | null
  email: string | null
  user_id: string | null
}
