// What happened to purchases, as their senders report it. The figures are computed from this alone, without anything of the service.

export const DAY = 86_400_000

export interface Fact {
  /** What several senders say of one thing has one id. */
  id: string
  at: number
  kind: 'paid' | 'granted' | 'failed' | 'canceled' | 'resumed' | 'ended' | 'given_back' | 'refund_failed' | 'disputed' | 'won' | 'lost'
  by: 'gateway' | 'checkout' | 'operator'
  /** The payment's name. A refund without one is of the newest payment. */
  payment?: string
  /** Undefined: nobody states it. A gateway's refund says what was given back of its charge so far, any other one its own amount. */
  amount?: number | undefined
  /** The price of what was paid, where credit paid a part of it. */
  price?: number | undefined
  charge?: string
  isPartial?: boolean
  /** Undefined: reais. */
  currency?: string | undefined
  plan?: string | undefined
  method?: 'card' | 'boleto' | 'pix' | undefined
  from?: number | undefined
  until?: number | undefined
}

export interface Delivery {
  /** When it arrives. */
  due: number
  from: Fact['by']
  /** What is sent, or an `OperatorAction`. */
  body: object
  facts: Fact[]
}

export type OperatorAction = { action: 'end' | 'refund' } | { action: 'grant'; plan: string; until?: string }

export interface Purchase {
  email: string
  /** Its slug. Null: a plan of the operator's. */
  product: string | null
  deliveries: Delivery[]
  /** Nothing of the purchase is known before this fact is. */
  opensWith: string | undefined
}
