import type { PaymentEvent } from '../events/payment-event.ts'

/** The open and lost disputes of one payment. */
export interface Disputes<Dispute> {
  /** By the name of each; that of the whole payment has none. */
  all: Map<string | undefined, Dispute>
  /** How many more outcomes were reported with a name than without one. */
  unechoed: { won: number; lost: number }
  /** The names of all that were ever reported, those of inquiries included. */
  known: Set<string>
  /** The disputes that each win without a name took away, until a win with a name explains it. */
  taken: Array<ReadonlyArray<Named<Dispute>>>
}

type Named<Dispute> = readonly [name: string | undefined, dispute: Dispute]

export function noDisputes<Dispute>(): Disputes<Dispute> {
  return { all: new Map(), unechoed: { won: 0, lost: 0 }, known: new Set(), taken: [] }
}

/**
 * The part of a payment that a refund or dispute is about: a charge of a bill, an installment, or the dispute itself. Adapters begin an
 * event's key with the id of that part. Mercado Pago's put a word for its kind before the id. `undefined`: the event is about the whole
 * payment, as those of the own checkout, of an order and of a claim are.
 */
export function subjectOf({ key, isOwn }: PaymentEvent): string | undefined {
  const [first = '', second] = key.split(/[ :]/, 2)
  if (isOwn || first === 'order' || first === 'claim') return undefined
  return first === 'payment' ? second : first
}

/** A dispute is opened once, however often and by whomever that is said. `open`: called where it is new. */
export function openDispute<Dispute>({ all, known }: Disputes<Dispute>, event: PaymentEvent, open: () => Dispute): void {
  const subject = nameIn(all, event)
  if (subject !== undefined) known.add(subject)
  if (!all.has(subject) && (subject !== undefined || all.size === 0)) all.set(subject, open())
}

/** The disputes that are lost by an event. One that nobody had opened is opened. */
export function lostBy<Dispute>(disputes: Disputes<Dispute>, event: PaymentEvent, open: () => Dispute): Dispute[] {
  if (isEcho(disputes, event, 'lost')) return []
  openDispute(disputes, event, open)
  return meantBy(disputes, event, 'lost').map(([, dispute]) => dispute)
}

/**
 * Takes away the disputes that are won by an event, and answers them. On appeal that happens even after they were lost. `back`: an earlier
 * win without a name had taken these, and it was the end of a bank's inquiry.
 */
export function takeWon<Dispute>(disputes: Disputes<Dispute>, event: PaymentEvent): { won: Dispute[]; back: Dispute[] } {
  const { all, unechoed, known, taken } = disputes
  if (isEcho(disputes, event, 'won')) return { won: [], back: [] }
  const subject = subjectOf(event)
  const isNew = subject !== undefined && !known.has(subject)
  const meant = meantBy(disputes, event, 'won')
  for (const [name] of meant) all.delete(name)
  if (subject === undefined && unechoed.won < 0) taken.push(meant)
  const explained = subject === undefined ? [] : (taken.shift() ?? [])
  const isInquiry = isNew && meant.length === 0 && explained.every(([name]) => name !== undefined)
  const back = isInquiry ? explained.filter(([name]) => !all.has(name)) : []
  for (const [name, dispute] of back) all.set(name, dispute)
  return { won: meant.map(disputeOf), back: back.map(disputeOf) }
}

function disputeOf<Dispute>([, dispute]: Named<Dispute>): Dispute {
  return dispute
}

/** The disputes of one payment, whose events are in order, with the events that opened and lost each. */
export function readDisputes<Event extends PaymentEvent>(events: readonly Event[]): Disputes<{ opened: Event; lost: Event | undefined }> {
  const disputes = noDisputes<{ opened: Event; lost: Event | undefined }>()
  for (const event of events) {
    const open = () => ({ opened: event, lost: undefined })
    if (event.kind === 'disputed') openDispute(disputes, event, open)
    else if (event.kind === 'dispute_lost') for (const one of lostBy(disputes, event, open)) one.lost ??= event
    else if (event.kind === 'dispute_won') takeWon(disputes, event)
  }
  return disputes
}

/** A dispute of the whole payment gets the name that its gateway has for it, once that is heard. */
function nameIn<Dispute>(all: Disputes<Dispute>['all'], event: PaymentEvent): string | undefined {
  const subject = subjectOf(event)
  const whole = all.get(undefined)
  if (subject !== undefined && whole !== undefined && !all.has(subject)) {
    all.delete(undefined)
    all.set(subject, whole)
  }
  return subject
}

/** Whether an event without a name reports what was said of a dispute with a name. Such a report is used once. */
function isEcho<Dispute>({ all, unechoed }: Disputes<Dispute>, event: PaymentEvent, outcome: 'won' | 'lost'): boolean {
  if (subjectOf(event) !== undefined) return false
  unechoed[outcome] -= 1
  return !all.has(undefined) && unechoed[outcome] >= 0
}

/** The dispute that an event names; without a name, that of the whole payment, and all where there is none. */
function meantBy<Dispute>(
  { all, unechoed, known }: Disputes<Dispute>,
  event: PaymentEvent,
  outcome: 'won' | 'lost',
): ReadonlyArray<Named<Dispute>> {
  const subject = nameIn(all, event)
  const named = all.get(subject)
  if (subject !== undefined) {
    // A dispute of that name is not there any more where its outcome was reported without a name first, and an inquiry never was.
    if (named !== undefined || unechoed[outcome] < 0 || !known.has(subject)) unechoed[outcome] += 1
    known.add(subject)
  }
  if (named === undefined) return subject === undefined ? [...all] : []
  return [[subject, named]]
}
