import { inOrder, type PaymentEvent } from '../events/payment-event.ts'
import { conclude, type FoldedSubscription } from './conclude.ts'
import { type Fold, foldInOrder, foldOne } from './fold.ts'
import { type Facts, nameOf, noteFacts } from './payment-facts.ts'

/** The state of a stream while its events become known, one after the other. */
export interface FoldAlong {
  add(event: PaymentEvent): void
  /** The subscription that the events so far lead to, and its number in the stream, from 0. Of events there must be one. */
  last(): {
    folded: FoldedSubscription
    number: number
    /** The payment that opened it, by its name; `undefined`: it is the first. */
    opened: string | undefined
  }
  /** The number of the subscription that a payment, by its name, was made for; of one that was not made, that of the last. */
  numberOf(payment: string): number
}

/**
 * The same as `foldEvents` of the events so far, after each of them. A history of a thousand events is folded once, not a thousand times:
 * only an event that says what was not known when others were folded begins anew.
 */
export function foldAlong(): FoldAlong {
  const known: PaymentEvent[] = []
  /** The payments of which more was said than that they are asked for. */
  const touched = new Set<string>()
  let fold: Fold = foldInOrder([])
  return {
    add(event) {
      const last = known.at(-1)
      known.push(event)
      const isNext = !last || inOrder([last, event])[1] === event
      if (isNext && learn(fold, event, touched)) foldOne(fold, event)
      else {
        touched.add(nameOf(event))
        const sorted = inOrder(known)
        known.splice(0, known.length, ...sorted)
        fold = foldInOrder(sorted)
      }
    },
    last: () => ({ folded: conclude(fold.ledger), number: fold.closed.length, opened: fold.begun.at(-1)?.payment }),
    numberOf(payment) {
      const made = fold.ledger.payments.get(payment)?.number
      return made === undefined ? fold.closed.length : fold.begun.findLastIndex(({ from }) => from <= made) + 1
    },
  }
}

/** Notes what the event says of its payment. `false` where what was folded before could have come out otherwise. */
function learn({ facts, ledger }: Fold, event: PaymentEvent, touched: Set<string>): boolean {
  const before = facts.get(nameOf(event))
  const learnt = noteFacts(facts, event)
  const payment = ledger.payments.get(nameOf(event))
  const isFirst = !touched.has(nameOf(event))
  if (!ASKED.has(event.kind)) touched.add(nameOf(event))
  if (!learnt || !payment) return true
  if (!isFirst && DECIDING.some((fact) => before?.[fact] !== learnt[fact])) return false
  Object.assign(payment, learnt)
  return true
}

/** By them the fold decides what becomes of other payments. */
const DECIDING = [
  'amount',
  'foreign',
  'planId',
  'periodStart',
  'periodEnd',
  'isWaived',
  'wasWaived',
  'paidAt',
] as const satisfies (keyof Facts)[]

/** They leave a payment as it is until it is made. */
const ASKED: ReadonlySet<string> = new Set(['payment_pending', 'payment_failed', 'payment_expired'])
