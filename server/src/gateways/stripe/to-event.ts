import type { Method } from '../../subscriptions/index.ts'
import { centavos, type Stated, statedIn } from '../adapter-kit/money.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import type { StripeEvent } from './event.ts'
import { idAt, listAt, partAt, textAt } from './object.ts'

type Plan = GatewayEvent['plan']

/** Events of a Stripe event; a missing value is left out. */
export function toGatewayEvent(
  { at }: Pick<StripeEvent, 'at'>,
  normalized: Pick<GatewayEvent, 'key' | 'kind'> & { [Field in keyof GatewayEvent]?: GatewayEvent[Field] },
): GatewayEvent {
  return { ...SILENT, occurredAt: at, ...normalized }
}

export const NO_PLAN: Plan = { slugs: [], refs: [], isOffer: false }

const SILENT = {
  subscriptionId: undefined,
  paymentId: undefined,
  paymentAliases: [],
  buyer: undefined,
  amount: undefined,
  method: undefined,
  periodEnd: undefined,
  plan: NO_PLAN,
}

/** Each id once, without missing ones and without the payment's own. */
export function aliases(paymentId: string | undefined, names: readonly (string | undefined)[]): string[] {
  return [...new Set(names.flatMap((name) => name ?? []))].filter((name) => name !== paymentId)
}

/** 990 cents of a dollar are not 990 centavos: an amount in another currency stands apart. */
export function amountAt(object: unknown, field: string): Stated {
  return amountOf(object, partAt(object, field))
}

/** An amount of an object, as Stripe writes it, in the smallest unit of its currency; `undefined` where the currency is unknown. */
export function unitsOf(object: unknown, given: number | undefined): number | undefined {
  const { amount, foreign } = amountOf(object, given)
  return amount ?? foreign?.amount
}

function amountOf(object: unknown, given: unknown): Stated {
  const currency = textAt(object, 'currency')?.toLowerCase()
  const units = centavos(given)
  return statedIn(currency, units !== undefined && currency !== undefined && IN_HUNDREDTHS.has(currency) ? units / 100 : units)
}

/** Currencies without cents whose amounts have them at Stripe all the same (docs.stripe.com/currencies#special-cases). */
const IN_HUNDREDTHS: ReadonlySet<string> = new Set(['isk', 'ugx'])

/** The payment method if it is certain: most payloads list all that were offered. */
export function onlyMethod(types: readonly unknown[]): Method | undefined {
  return types.length === 1 ? toMethod(types[0]) : undefined
}

function toMethod(type: unknown): Method | undefined {
  return METHODS.find((method) => method === type)
}

const METHODS: readonly Method[] = ['card', 'pix', 'boleto']

/** A slug in metadata names the plan: if the product has no such plan, no other plan is guessed. */
export function planNamed(plan: Plan): Plan {
  return { ...plan, isOffer: plan.isOffer && plan.slugs.length === 0 }
}

/** The slugs of metadata. Only the merchant writes metadata: no address, form or publishable key does. */
export function slugsOf(...texts: readonly (string | undefined)[]): string[] {
  return [...new Set(texts.flatMap((text) => text ?? []))].filter((text) => text.length <= 200)
}

export function planSlugAt(object: unknown, ...path: string[]): string | undefined {
  return textAt(object, ...path, 'metadata', 'plan_slug')
}

/** Price and product of a line, in new and old API versions. */
export function refsOfLine(line: unknown): string[] {
  const prices = [
    idAt(line, 'pricing', 'price_details', 'price') ?? idAt(line, 'price') ?? idAt(line, 'plan'),
    idAt(line, 'pricing', 'price_details', 'product') ?? idAt(line, 'price', 'product') ?? idAt(line, 'plan', 'product'),
  ]
  return prices.flatMap((ref) => ref ?? [])
}

/** Of a list of lines or items: every price and product once. */
export function refsAt(object: unknown, ...path: string[]): string[] {
  return [...new Set(listAt(object, ...path).flatMap(refsOfLine))]
}
