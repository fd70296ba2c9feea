import type { Method } from '../../subscriptions/index.ts'
import { centavos } from '../adapter-kit/money.ts'
import type { GatewayEvent } from '../gateway.ts'
import type { StripeEvent } from './event.ts'
import { idAt, listAt, partAt, textAt } from './object.ts'

type Plan = GatewayEvent['plan']

/** Events of an event; what is not given is not told. */
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

/** Each name once, without those that aren't there and without the payment's own. */
export function aliases(paymentId: string | undefined, names: readonly (string | undefined)[]): string[] {
  return [...new Set(names.flatMap((name) => name ?? []))].filter((name) => name !== paymentId)
}

/** In reais alone: 990 cents of a dollar are not 990 centavos, and access does not depend on the amount. */
export function amountAt(object: unknown, field: string): number | undefined {
  return textAt(object, 'currency')?.toLowerCase() === 'brl' ? centavos(partAt(object, field)) : undefined
}

/** Told only where it is the one that could have been used: most payloads list those on offer. */
export function onlyMethod(types: readonly unknown[]): Method | undefined {
  return types.length === 1 ? toMethod(types[0]) : undefined
}

function toMethod(type: unknown): Method | undefined {
  return METHODS.find((method) => method === type)
}

const METHODS: readonly Method[] = ['card', 'pix', 'boleto']

/** A slug in metadata says which plan is meant: if that is none of this product's, it is no other of its plans either. */
export function planNamed(plan: Plan): Plan {
  return { ...plan, isOffer: plan.isOffer && plan.slugs.length === 0 }
}

/** The slugs that metadata may hold. Metadata is the seller's alone: no address, form or publishable key writes it. */
export function slugsOf(...texts: readonly (string | undefined)[]): string[] {
  return [...new Set(texts.flatMap((text) => text ?? []))].filter((text) => text.length <= 200)
}

export function planSlugAt(object: unknown, ...path: string[]): string | undefined {
  return textAt(object, ...path, 'metadata', 'plan_slug')
}

/** Price and product of what a line sells, as new and as old API versions write it. */
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
