import { METHODS, type PaymentMethod } from '../products/index.ts'

/** The method of a payment. */
export type Method = PaymentMethod['method']

export function isMethod(text: string | null | undefined): text is Method {
  return METHODS.some((method) => method === text)
}
