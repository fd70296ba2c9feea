import type { PaymentEvent } from '../../payment-history/index.ts'
import { type Dispute, leftOf, type Moved, type Paid, statedBy, subjectOf } from './paid.ts'

/** A dispute may be of a part of the payment. It is opened once, however often and by whomever that is said. */
export function dispute(payment: Paid, event: PaymentEvent): Moved {
  const { disputes } = payment
  const subject = subjectIn(disputes, event)
  if (disputes.has(subject) || (subject === OWN && disputes.size > 0)) return {}
  const amount = Math.min(statedBy(event, payment) ?? Number.POSITIVE_INFINITY, leftOf(payment))
  disputes.set(subject, { amount, isLost: false })
  return { disputes: 1, disputed: amount }
}

export function lose(payment: Paid, event: PaymentEvent): Moved {
  const { disputes } = payment
  const subject = subjectIn(disputes, event)
  if (disputes.size === 0 || (subject !== OWN && !disputes.has(subject)))
    disputes.set(subject, { amount: Number.POSITIVE_INFINITY, isLost: false })
  const lost = meantBy(subject, disputes).filter(({ isLost }) => !isLost)
  const stated = lost.length === 1 ? statedBy(event, payment) : undefined
  let sum = 0
  for (const one of lost) {
    one.amount = Math.min(stated ?? one.amount, leftOf(payment))
    one.isLost = true
    sum += one.amount
  }
  return { lost_in_disputes: sum }
}

/** On appeal, even after it was lost. */
export function win(payment: Paid, event: PaymentEvent): Moved {
  const { disputes } = payment
  const won = meantBy(subjectIn(disputes, event), disputes)
  for (const [subject, one] of disputes) if (won.includes(one)) disputes.delete(subject)
  return { lost_in_disputes: -won.reduce((sum, { amount, isLost }) => sum + (isLost ? amount : 0), 0) }
}

/** The own checkout names no dispute. */
const OWN = 'own'

/** The name of the dispute. A dispute of the own checkout gets the gateway's name, once the gateway reports one. */
function subjectIn(disputes: Map<string, Dispute>, event: PaymentEvent): string {
  if (event.isOwn) return OWN
  const subject = subjectOf(event)
  const own = disputes.get(OWN)
  if (!own || disputes.has(subject)) return subject
  disputes.delete(OWN)
  disputes.set(subject, own)
  return subject
}

/** The dispute of that name. Where there is none, the event is about all disputes of the payment. */
function meantBy(subject: string, disputes: Map<string, Dispute>): Dispute[] {
  const named = disputes.get(subject)
  return named ? [named] : [...disputes.values()]
}
