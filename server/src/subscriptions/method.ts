import { METHODS, type PaymentMethod } from '../products/index.ts'

/** How a payment was made. */
export type Method = PaymentMethod['method']

export function isMethod(text: string | null | undefined): text is Method {
  return METHODS.some((method) => method === text)
}
