import { normaliseEmail } from '../../../kit/index.ts'
import type { Method } from '../../../subscriptions/index.ts'
import { textAt } from '../fields.ts'

/** In the order in which they are filled reliably. An address hidden from the merchant reads as a row of X, which is no address. */
export function buyerOf(thing: unknown, preapproval: unknown): string | undefined {
  const metadata = ['buyer_email', 'email', 'payer_email', 'user_email'].map((name) => textAt(thing, 'metadata', name))
  const addresses = [textAt(thing, 'payer', 'email'), textAt(preapproval, 'payer_email'), ...metadata]
  return addresses.find((address) => address !== undefined && normaliseEmail(address) !== undefined)
}

export function methodOf(type: unknown, id: unknown): Method | undefined {
  if (id === 'pix') return 'pix'
  if (type === 'ticket') return 'boleto'
  return type === 'credit_card' || type === 'debit_card' || type === 'prepaid_card' ? 'card' : undefined
}
