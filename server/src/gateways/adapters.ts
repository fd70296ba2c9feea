import type { Gateway } from '../products/index.ts'
import { asaas } from './asaas/index.ts'
import type { GatewayAdapter } from './gateway.ts'
import { mercadopago } from './mercadopago/index.ts'
import { pagarme } from './pagarme/index.ts'
import { stripe } from './stripe/index.ts'

/**
 * All gateways; `gatewaysWith` of `products/payment-methods.ts` says which an installation supports. To add one: its file or folder, its
 * line here, its name there (docs/decisions/0050).
 */
export const adapters: Readonly<Record<Gateway, GatewayAdapter>> = { stripe, mercadopago, asaas, pagarme }
