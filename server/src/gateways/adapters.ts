import { asaas } from './asaas/index.ts'
import type { GatewayAdapter } from './gateway.ts'
import { mercadopago } from './mercadopago/index.ts'
import { stripe } from './stripe/index.ts'

/** Every gateway there is. To add one: its file or folder, its line here, its name in `products/payment-methods.ts` (docs/decisions/0050). */
export const adapters = { stripe, mercadopago, asaas } as const satisfies Record<string, GatewayAdapter>

export type AdapterName = keyof typeof adapters

export function isAdapterName(text: string): text is AdapterName {
  return Object.hasOwn(adapters, text)
}
