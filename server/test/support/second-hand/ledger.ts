import type { Fact } from './facts.ts'

/** A payment, and what became of its money. */
export interface Payment {
  made: Fact
  /** What each charge has given back so far, and the checkout or the operator in all. */
  charges: Map<string, number>
  byOthers: number
  /** What counts as given back, and as lost. */
  back: number
  lost: number
  givenBackAt: number | undefined
  dispute: { is: 'disputed' | 'won' | 'lost'; at: number } | undefined
}

/** One change of a figure; without a currency in reais. */
export interface Move {
  at: number
  name: string
  by: number
  plan: string
  currency: string | undefined
}

export interface Ledger {
  payments: Payment[]
  moves: Move[]
  /** Since when it is not renewed, is over, or misses a payment. */
  canceledAt?: number | undefined
  endedAt?: number
  unpaidAt?: number | undefined
}

/** Reads the facts of one subscription in the order of their times. `currentOf` says which payment it rests on, so far. */
export function readFacts(facts: readonly Fact[], currentOf: (ledger: Ledger) => Payment | undefined): Ledger {
  const ledger: Ledger = { payments: [], moves: [] }
  const { payments } = ledger
  for (const fact of facts) {
    const { kind, at, by } = fact
    // A refund or dispute without a name is of all that pays, and its money is of the newest payment.
    const named = payments.filter(({ made }) => isOf(fact, made))
    const payment = by === 'operator' ? currentOf(ledger) : named.at(-1)
    if (kind === 'paid' || kind === 'granted') pay(ledger, fact)
    else if (kind === 'canceled') ledger.canceledAt = at
    else if (kind === 'resumed') ledger.canceledAt = undefined
    else if (kind === 'ended') ledger.endedAt = at
    else if (kind === 'failed') ledger.unpaidAt ??= named.length > 0 ? undefined : at
    else if (payment && kind === 'given_back') giveBack(ledger, payment, fact, { facts, named })
    else if (payment && kind === 'refund_failed') takeBack(ledger, payment, fact)
    else if (payment && kind !== 'given_back' && kind !== 'refund_failed') dispute(ledger, payment, { ...fact, kind })
  }
  return ledger
}

function isOf({ payment }: Fact, made: Fact): boolean {
  return payment === undefined || payment === made.payment
}

function pay(ledger: Ledger, made: Fact): void {
  const payment = { made, charges: new Map(), byOthers: 0, back: 0, lost: 0, givenBackAt: undefined, dispute: undefined }
  ledger.payments.push(payment)
  ledger.unpaidAt = undefined
  if ((made.from ?? made.at) > (ledger.canceledAt ?? 0)) ledger.canceledAt = undefined
  if (made.kind === 'granted' || made.amount === 0) return
  const amount = made.amount === undefined ? { payments_without_amount: 1 } : { received: made.amount }
  add(ledger, payment, made.at, { payments: 1, ...amount })
}

function giveBack(ledger: Ledger, payment: Payment, fact: Fact, { facts, named }: { facts: readonly Fact[]; named: Payment[] }): void {
  const { at, by, amount, charge = '', isPartial = false } = fact
  const { made, charges } = payment
  const open = (made.amount ?? Number.MAX_SAFE_INTEGER) - payment.lost - payment.back
  // The operator only says so; whoever moves the money reports it at that time or later.
  const paidBefore = (fact: Fact) => facts.findLast((other) => other.kind === 'paid' && other.at <= fact.at && isOf(fact, other))
  const reports = facts.filter((other) => other.kind === 'given_back' && other.by !== 'operator' && other.at >= at)
  const isReported = by === 'operator' && reports.some((report) => paidBefore(report) === made)
  if (by === 'gateway') charges.set(charge, Math.max(charges.get(charge) ?? 0, amount ?? 0))
  else if (amount === undefined && !isPartial && !isReported) payment.byOthers = payment.back + open
  else payment.byOthers += amount ?? 0
  const byGateway = [...charges.values()].reduce((sum, each) => sum + each, 0)
  if (by === 'gateway' ? byGateway >= (made.amount ?? 0) : !isPartial) for (const each of named) each.givenBackAt ??= at
  if (open === 0 || made.kind === 'granted') return
  const more = Math.min(open, Math.max(0, byGateway - payment.back, payment.byOthers - payment.back))
  payment.back += more
  const isUnstated = isPartial && amount === undefined
  if (more > 0 || isUnstated) add(ledger, payment, at, { refunds: 1, ...(made.amount !== undefined && { refunded: more }) })
}

/** The money of a refund that failed has stayed. */
function takeBack(ledger: Ledger, payment: Payment, { at, amount = 0, charge = '' }: Fact): void {
  payment.charges.set(charge, (payment.charges.get(charge) ?? 0) - amount)
  payment.back -= amount
  payment.givenBackAt = undefined
  add(ledger, payment, at, { refunds: -1, refunded: -amount })
}

function dispute(ledger: Ledger, payment: Payment, { kind, at, amount }: Fact & { kind: 'disputed' | 'won' | 'lost' }): void {
  if (payment.dispute?.is === kind) return
  const { amount: paid = 0 } = payment.made
  const about = Math.min(amount ?? paid, paid - payment.back - payment.lost)
  const lost = kind === 'lost' ? about : 0
  add(ledger, payment, at, kind === 'disputed' ? { disputes: 1, disputed: about } : { lost_in_disputes: lost - payment.lost })
  payment.lost = lost
  payment.dispute = { is: kind, at }
}

function add({ moves }: Ledger, { made }: Payment, at: number, amounts: Record<string, number>): void {
  for (const [name, by] of Object.entries(amounts)) moves.push({ at, name, by, plan: made.plan ?? '', currency: made.currency })
}
