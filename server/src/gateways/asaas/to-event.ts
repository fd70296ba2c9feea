import type { PaymentKind } from '../../payment-history/index.ts'
import { centavosOfReais } from '../adapter-kit/money.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import { startOfBrazilDay } from './brazil-time.ts'
import { again, isOfWhole, ownIdOf, refundedOf } from './charge-names.ts'
import type { Lookups } from './lookups.ts'
import { methods } from './methods.ts'
import { distinct, isOffer, isPlanNamed, slugsIn } from './offer.ts'
import type { AsaasSubscription, Charge, ReceivedEvent } from './payload.ts'
import { timeOf } from './time-of.ts'

/** The events of a charge by itself. `received`: the delivered event, if any. */
export function toGatewayEvent(charge: Charge, kind: PaymentKind, received: ReceivedEvent | undefined): GatewayEvent {
  const own = ownIdOf(charge, received)
  const paymentId = isOfWhole(charge, kind, own) ? (charge.installment ?? own) : own
  const begin = kind === 'payment_failed' || kind === 'payment_expired' ? beginOf(charge) : undefined
  return {
    key: [own, kind, ...again(charge, kind, received)].join(' '),
    kind,
    // The installments of one purchase belong together: none of them is a purchase of its own.
    subscriptionId: charge.subscription ?? charge.installment,
    paymentId,
    paymentAliases: paymentId === own ? [] : [own],
    buyer: undefined,
    amount: kind === 'partially_refunded' ? refundedOf(charge) : centavosOfReais(charge.value),
    method: methods.get(charge.billingType ?? ''),
    occurredAt: timeOf(charge, kind, received?.at),
    ...(begin !== undefined && { periodStart: begin }),
    periodEnd: undefined,
    plan: {
      slugs: slugsIn(charge.externalReference),
      refs: distinct(charge.paymentLink, charge.subscription),
      isOffer: isOffer(charge) && !isPlanNamed(charge),
    },
  }
}

/** The same with the data of the API: the buyer, the paid period, and the reference of the charge's subscription. */
export async function fetchEventOf(
  charge: Charge,
  kind: PaymentKind,
  received: ReceivedEvent | undefined,
  lookups: Lookups,
): Promise<GatewayEvent> {
  const gatewayEvent = toGatewayEvent(charge, kind, received)
  const subscription = await lookups.subscription(charge.subscription)
  return {
    ...gatewayEvent,
    buyer: await lookups.email(charge.customer),
    ...(kind === 'paid' &&
      charge.installment !== undefined &&
      gatewayEvent.paymentId === charge.installment &&
      amountsOf(gatewayEvent, await lookups.purchase(charge.installment))),
    ...(kind === 'paid' && (await lookups.period(charge))),
    plan: {
      ...gatewayEvent.plan,
      slugs: slugsIn(charge.externalReference, subscription?.externalReference),
      refs: distinct(charge.paymentLink, subscription?.paymentLink, charge.subscription),
      isOffer: gatewayEvent.plan.isOffer && !isPlanNamed(subscription),
    },
  }
}

/**
 * A card pays the whole purchase with its first part. By boleto or PIX each part is paid by itself, or never. Where the whole is not known,
 * a part can't be compared with a price, so it has no amount.
 */
function amountsOf(
  { amount }: GatewayEvent,
  whole: Awaited<ReturnType<Lookups['purchase']>>,
): Pick<GatewayEvent, 'amount' | 'purchaseAmount'> {
  return whole.isByCard || whole.amount === undefined ? { amount: whole.amount } : { amount, purchaseAmount: whole.amount }
}

/** A subscription that will not be renewed, or will be after all. That can happen any number of times, so its key is the event's. */
export function toSubscriptionEvent(subscription: AsaasSubscription, kind: 'canceled' | 'resumed', received: ReceivedEvent): GatewayEvent {
  const { id, externalReference, paymentLink } = subscription
  return {
    key: `${id} ${kind} ${received.id}`,
    kind,
    subscriptionId: id,
    paymentId: undefined,
    paymentAliases: [],
    buyer: undefined,
    amount: undefined,
    method: undefined,
    occurredAt: received.at,
    periodEnd: undefined,
    plan: { slugs: slugsIn(externalReference), refs: distinct(paymentLink, id), isOffer: !isPlanNamed(subscription) },
  }
}

function beginOf({ subscription, dueDate }: Charge): number | undefined {
  return subscription === undefined ? undefined : startOfBrazilDay(dueDate)
}
