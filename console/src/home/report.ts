/** The figures that docs/reports.md defines; amounts in centavos. */
export interface Figures {
  active: number
  active_paid: number
  active_trial: number
  active_granted: number
  active_unpriced: number
  mrr: number
  new: number
  returned: number
  lost: number
  payments: number
  payments_without_amount: number
  received: number
  refunds: number
  refunded: number
  lost_in_disputes: number
  net: number
}

/** The report of a month, in the API's form. */
export interface MonthReport {
  /** Days of the operator's time zone, the last one included. */
  from: string
  to: string
  is_counting: boolean
  figures: Figures
  before: { from: string; to: string; figures: Figures }
  plans: PlanFigures[]
  /** The figures of each other currency, in its smallest unit. They are in no amount of the others. */
  other_currencies: Array<{ currency: string; figures: Figures; before: Figures }>
  days: Array<{ day: string; figures: Figures }>
}

export interface PlanFigures {
  product_id: string | null
  product: string | null
  plan_id: string | null
  plan_slug: string | null
  figures: Figures
  before: Figures
}
