import type { PaymentEvent } from '../events/payment-event.ts'

/** The open and lost disputes of one payment, by what each is about. */
export type Disputes<Dispute> = Map<string, Dispute>

/**
 * What an event of money that goes back is about, within its payment: one of several charges of a bill, an installment, a dispute. Every
 * adapter begins its keys with its id, Mercado Pago's with what it is. `undefined`: the own checkout and an order speak of the whole
 * payment, whatever its parts are called.
 */
export function subjectOf({ key, isOwn }: PaymentEvent): string | undefined {
  const [first, second] = key.split(/[ :]/, 2)
  if (isOwn || first === 'order') return undefined
  return first === 'payment' ? second : first
}

/** A dispute is opened once, however often and by whomever that is said. `open`: called where it is new. */
export function openDispute<Dispute>(disputes: Disputes<Dispute>, event: PaymentEvent, open: () => Dispute): void {
  const subject = subjectIn(disputes, event)
  if (!disputes.has(subject) && (subject !== WHOLE || disputes.size === 0)) disputes.set(subject, open())
}

/** The disputes that are lost by an event. One that nobody had opened is opened. */
export function lostBy<Dispute>(disputes: Disputes<Dispute>, event: PaymentEvent, open: () => Dispute): Dispute[] {
  openDispute(disputes, event, open)
  return meantBy(disputes, event).map(([, dispute]) => dispute)
}

/** Takes away the disputes that are won by an event, and answers them. On appeal that happens even after they were lost. */
export function takeWon<Dispute>(disputes: Disputes<Dispute>, event: PaymentEvent): Dispute[] {
  return meantBy(disputes, event).map(([subject, dispute]) => {
    disputes.delete(subject)
    return dispute
  })
}

/** The name of a dispute of the whole payment. */
const WHOLE = 'whole'

/** The name of the dispute. One of the whole payment gets the name that its gateway has for it, once that is heard. */
function subjectIn<Dispute>(disputes: Disputes<Dispute>, event: PaymentEvent): string {
  const subject = subjectOf(event)
  if (subject === undefined) return WHOLE
  const whole = disputes.get(WHOLE)
  if (whole !== undefined && !disputes.has(subject)) {
    disputes.delete(WHOLE)
    disputes.set(subject, whole)
  }
  return subject
}

/** The dispute that an event names. Where there is none of that name, the event is about all disputes of the payment. */
function meantBy<Dispute>(disputes: Disputes<Dispute>, event: PaymentEvent): [string, Dispute][] {
  const subject = subjectIn(disputes, event)
  const named = disputes.get(subject)
  return named === undefined ? [...disputes] : [[subject, named]]
}
