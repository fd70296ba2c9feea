import type { PaymentKind } from '../../payment-history/index.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import { kindOf } from './charge-kind.ts'
import { refundedOf } from './charge-names.ts'
import { asked, isReversal } from './delivered-kinds.ts'
import type { Lookups } from './lookups.ts'
import { isOurs } from './offer.ts'
import type { Charge, ReceivedEvent } from './payload.ts'
import { WHEN_RECEIVED } from './time-of.ts'
import { fetchEventOf, toGatewayEvent } from './to-event.ts'

/** The event of a charge's state, then the earlier events that the charge implies. `received`: the delivered event, if any. */
export async function fetchHistoryOf(charge: Charge, received: ReceivedEvent | undefined, lookups: Lookups): Promise<GatewayEvent[]> {
  const kind = kindOf(charge)
  if (!kind) return []
  const sameKind = received && kind === asked.get(received.event) ? received : undefined
  if (!isOurs(charge)) return isReversal(kind) ? [toGatewayEvent(charge, kind, sameKind)] : []
  const history = [await fetchEventOf(charge, kind, sameKind, lookups)]
  for (const other of kindsOf(charge).filter((one) => one !== kind)) {
    const also = await fetchEventOf(charge, other, undefined, lookups)
    // Without a date it could be ordered after the event that undoes it.
    if (also.occurredAt !== WHEN_RECEIVED) history.push(also)
  }
  return history
}

/** An unpaid charge shows how long the one before it pays: its due date can be moved, to a day that is over too. */
export async function fetchPaidBefore(charge: Charge, lookups: Lookups): Promise<GatewayEvent[]> {
  const kind = kindOf(charge)
  const isUnpaid = kind === 'payment_pending' || kind === 'payment_failed'
  const before = isOurs(charge) && isUnpaid ? await lookups.paidBefore(charge) : undefined
  const gatewayEvent = before && (await fetchEventOf(before, 'paid', undefined, lookups))
  return gatewayEvent && gatewayEvent.occurredAt !== WHEN_RECEIVED ? [gatewayEvent] : []
}

/**
 * A refunded charge was paid before. The payment goes first: events pending for it take effect with it, and nobody gets access in between.
 */
function kindsOf(charge: Charge): PaymentKind[] {
  const kind = kindOf(charge)
  if (!kind) return []
  if (kind !== 'partially_refunded' && isReversal(kind)) return [kind, 'paid']
  return kind === 'paid' && refundedOf(charge) !== undefined ? ['paid', 'partially_refunded'] : [kind]
}
