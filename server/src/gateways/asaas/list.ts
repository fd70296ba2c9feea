import type { GatewayApi } from '../gateway.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import { toBrazilDay } from './brazil-time.ts'
import { fetchHistoryOf, fetchPaidBefore } from './history.ts'
import { createLookups, listCharges } from './lookups.ts'
import { WHEN_RECEIVED } from './time-of.ts'

/**
 * Charges can't be listed by their last change. These filters together find every change since a day, and some older ones: a confirmed card
 * has no payment date until its money comes, a month later, and refunds and disputes can concern charges of any age.
 */
export async function* list(since: number, api: GatewayApi): AsyncIterable<GatewayEvent> {
  const day = toBrazilDay(since)
  const byTime = ['dateCreated[ge]', 'paymentDate[ge]', 'dueDate[ge]'].map((name) => ({ [name]: day }))
  const states = ['CONFIRMED', 'RECEIVED_IN_CASH', 'REFUNDED', 'CHARGEBACK_REQUESTED', 'CHARGEBACK_DISPUTE', 'AWAITING_CHARGEBACK_REVERSAL']
  const lookups = createLookups(api, WHEN_RECEIVED)
  const seen = new Set<string>()
  for (const filter of [...byTime, ...states.map((status) => ({ status }))]) {
    for await (const charge of listCharges(api, filter)) {
      if (seen.has(charge.id)) continue
      seen.add(charge.id)
      yield* await fetchHistoryOf(charge, undefined, lookups)
      yield* await fetchPaidBefore(charge, lookups)
    }
  }
}
