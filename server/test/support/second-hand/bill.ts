/** A bill that is paid. Undefined: nobody states it. */
export interface Bill {
  number: number
  at: number
  from: number
  until: number | undefined
  amount: number | undefined
  plan: string
  /** The first of another plan. */
  isChange: boolean
  /** `left` has not been given back. */
  charges: Array<{ id: string; amount: number; left: number }>
}

/** What a refund or dispute is about. */
export interface Part {
  charge: Bill['charges'][number]
  amount: number
  /** Nothing of the bill is left then. */
  isRest: boolean
}

/** A sender's way of reporting what happens to a purchase. */
export interface Party {
  /** What can become of a bill's money. */
  fates: ReadonlyArray<'parts' | 'whole' | 'dispute' | 'failed_refund' | 'operator'>
  maxCharges: 1 | 2
  /** Whether a bill may be without an amount, and a subscription without an end. */
  mayBeSilent: boolean
  paid(bill: Bill): void
  gaveBack(bill: Bill, at: number, part: Part): void
  refundFailed?(bill: Bill, at: number, part: Part): void
  disputed(bill: Bill, at: number, part: Part, outcome: 'disputed' | 'won' | 'lost'): void
  /** Bill `number` fails, or the subscription is canceled, and so on. */
  changed(kind: 'failed' | 'canceled' | 'resumed' | 'ended', at: number, number: number): void
}
