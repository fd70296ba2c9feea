import { goneAt, type Payment } from './payments.ts'

/**
 * The current payment whose money is here. If newer ones were taken back, an older one goes on if it still paid at that moment. Else the
 * lost ones were the current ones.
 */
export function currentOf(made: readonly Payment[]): Payment | undefined {
  return currentAmong(counting(made), Number.POSITIVE_INFINITY)
}

/** Whether a payment counts that is made after others: what is served for nothing does not always. */
export function isCounted(payment: Payment, made: readonly Payment[]): boolean {
  return !payment.isWaived || counting([...made, payment]).includes(payment)
}

/**
 * The payments without what was served for nothing in time that is paid, and without what was served after the money of the last payment
 * was gone, or after what was served before was taken back: what becomes of that decides.
 */
function counting(made: readonly Payment[]): readonly Payment[] {
  if (!made.some(({ isWaived }) => isWaived)) return made
  const paid = chain()
  let kept = chain()
  let latestWaived = Number.NEGATIVE_INFINITY
  for (const payment of made) {
    if (!payment.isWaived) {
      paid.add(payment)
      if (payment.begin <= latestWaived) kept = chain(kept.all.filter((other) => !other.isWaived || !isPaidBy(payment, other)))
    } else {
      const before = paid.current(payment.madeAt)
      if (before ? before.end < Number.POSITIVE_INFINITY && payment.end <= before.end : paid.all.length > 0) continue
      if (kept.all.length > 0 && !kept.current(payment.madeAt)) continue
      latestWaived = Math.max(latestWaived, payment.begin)
    }
    kept.add(payment)
  }
  return kept.all
}

/** Payments in the order in which they were made, with the last that is no back payment at hand: a long history is read once. */
function chain(all: Payment[] = []) {
  let last = lastOf(all)
  return {
    all,
    add(payment: Payment) {
      all.push(payment)
      last = last && isBackPayment(payment, last) ? last : payment
    },
    current: (until: number) => currentAmong(all, until, last),
  }
}

/** Whether a payment that was made later pays for all of the time of one that was served for nothing. */
function isPaidBy({ begin, end }: Payment, waived: Payment): boolean {
  return begin <= waived.begin && waived.end <= end && end < Number.POSITIVE_INFINITY
}

/** The current payment by what had happened until a time, in ms. */
function currentAmong(made: readonly Payment[], until: number, last = lastOf(made)): Payment | undefined {
  if (!last || goneAt(last, until) === undefined) return last
  const held = lastOf(made.filter((payment) => goneAt(payment, until) === undefined))
  if (!held) return undefined
  const end = endAmong(made, held)
  const inItsPlace = made.filter((payment) => isInPlaceOf(payment, held))
  return end > Math.max(...inItsPlace.map((payment) => goneAt(payment, until) ?? 0)) ? { ...held, end } : undefined
}

/** Whether a payment would be the current one of the two. */
function isInPlaceOf(payment: Payment, held: Payment): boolean {
  const isLater = (payment.number ?? 0) > (held.number ?? 0)
  return payment !== held && lastOf(isLater ? [held, payment] : [payment, held]) === payment
}

/**
 * The current payment, of several in the order in which they were made: the last that is no back payment. It need not pay for the longest
 * time: a month that is bought in a year's place counts at once.
 */
export function latest(made: readonly Payment[]): Payment | undefined {
  return lastOf(counting(made))
}

function lastOf(made: readonly Payment[]): Payment | undefined {
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
