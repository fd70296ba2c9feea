import { asaas } from './asaas.ts'
import type { GatewayAdapter } from './gateway.ts'
import { mercadopago } from './mercadopago.ts'
import { stripe } from './stripe.ts'

/** Every gateway there is. To add one: its file, its line here, its name in `products/payment-methods.ts` (docs/decisions/0050). */
export const adapters = { stripe, mercadopago, asaas } as const satisfies Record<string, GatewayAdapter>

export type AdapterName = keyof typeof adapters

export function isAdapterName(text: string): text is AdapterName {
  return Object.hasOwn(adapters, text)
}
