import { goneAt, type Payment } from './payments.ts'

/**
 * The current payment whose money is here. If newer ones were taken back, an older one goes on if it still paid at that moment. Else the
 * lost ones were the current ones.
 */
export function currentOf(made: readonly Payment[]): Payment | undefined {
  const last = latest(made)
  if (!last || goneAt(last) === undefined) return last
  const held = latest(made.filter((payment) => goneAt(payment) === undefined))
  if (!held) return undefined
  const end = endAmong(made, held)
  const inItsPlace = made.filter((payment) => isInPlaceOf(payment, held))
  return end > Math.max(...inItsPlace.map((payment) => goneAt(payment) ?? 0)) ? { ...held, end } : undefined
}

/** Whether a payment would be the current one of the two. */
function isInPlaceOf(payment: Payment, held: Payment): boolean {
  const isLater = (payment.number ?? 0) > (held.number ?? 0)
  return payment !== held && latest(isLater ? [held, payment] : [payment, held]) === payment
}

/**
 * The current payment, of several in the order in which they were made: the last that is no back payment. It need not pay for the longest
 * time: a month that is bought in a year's place counts at once.
 */
export function latest(made: readonly Payment[]): Payment | undefined {
  return made.reduce<Payment | undefined>((current, payment) => (current && isBackPayment(payment, current) ? current : payment), undefined)
}

/** Whether a payment made later is for a period before the current one, or for one that was over when it was paid. */
function isBackPayment({ begin, end, madeAt }: Payment, current: Payment): boolean {
  // If both begin at once the stated end counts, in either order: senders' times are whole seconds.
  if (begin === current.begin && (end === Number.POSITIVE_INFINITY) !== (current.end === Number.POSITIVE_INFINITY))
    return end === Number.POSITIVE_INFINITY
  if (end > current.end) return false
  if (end <= madeAt) return true
  return begin < current.begin || (begin === current.begin && end < current.end)
}

/** The end of a payment. One without an end pays until the next one begins, if the stream states periods. */
function endAmong(made: readonly Payment[], { begin, end }: Payment): number {
  if (end !== Number.POSITIVE_INFINITY) return end
  return Math.min(...made.filter((other) => other.end < end && other.begin > begin).map((other) => other.begin), end)
}
