import { DAY_MS } from '../../kit/index.ts'
import type { GatewayApi } from '../gateway.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import { endOfBrazilDay, parseBrazilTime, toBrazilDay } from './brazil-time.ts'
import { fetchHistoryOf, fetchPaidBefore } from './history.ts'
import { createLookups, listCharges } from './lookups.ts'
import type { Charge } from './payload.ts'
import { WHEN_RECEIVED } from './time-of.ts'

/** A refund is requested long before it is done, and has the time of its request alone. */
const REFUND_MS = 90 * DAY_MS

/**
 * Charges can't be listed by their last change. By days these filters find what was made, paid or due since one, and by state what may have
 * changed later: a confirmed card has no payment date until its money comes, a month later, and refunds and disputes can concern charges of
 * any age. A partial refund or a won dispute of an older charge whose money had come (RECEIVED) fits no filter, and is not found.
 */
export async function* list(since: number, api: GatewayApi): AsyncIterable<GatewayEvent> {
  const day = toBrazilDay(since)
  const byTime = ['dateCreated[ge]', 'paymentDate[ge]', 'dueDate[ge]'].map((name) => ({ [name]: day }))
  const states = ['CONFIRMED', 'RECEIVED_IN_CASH', 'REFUNDED', 'CHARGEBACK_REQUESTED', 'CHARGEBACK_DISPUTE', 'AWAITING_CHARGEBACK_REVERSAL']
  const lookups = createLookups(api, WHEN_RECEIVED)
  const seen = new Set<string>()
  for (const filter of [...byTime, ...states.map((status) => ({ status }))]) {
    // Read to its end before anything is looked up: it changes meanwhile.
    for (const charge of await listCharges(api, filter)) {
      if (seen.has(charge.id) || ('status' in filter && isLongOver(charge, since))) continue
      seen.add(charge.id)
      yield* await fetchHistoryOf(charge, undefined, lookups)
      yield* await fetchPaidBefore(charge, lookups)
    }
  }
}

/** Whether a charge says by itself that nothing of it is as late as `since`. Lists by state go back to an account's first day. */
function isLongOver({ status, chargeback, refunds, confirmedDate }: Charge, since: number): boolean {
  if (chargeback || refunds.some(({ dateCreated }) => (parseBrazilTime(dateCreated) ?? since) > since - REFUND_MS)) return false
  const wasPaid = endOfBrazilDay(confirmedDate) ?? since
  return status === 'REFUNDED' ? refunds.length > 0 : status === 'CONFIRMED' && wasPaid <= since - DAY_MS
}
