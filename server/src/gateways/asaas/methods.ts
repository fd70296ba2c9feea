import type { Method } from '../../subscriptions/index.ts'

/** How a charge is paid, by Asaas's `billingType`. */
export const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['CREDIT_CARD', 'card'],
  ['DEBIT_CARD', 'card'],
  ['BOLETO', 'boleto'],
  ['PIX', 'pix'],
])
