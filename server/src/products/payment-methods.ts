export const METHODS = ['pix', 'boleto', 'card'] as const
export const GATEWAYS = ['stripe', 'mercadopago', 'asaas'] as const

/** Which gateway takes a product's payments of one method. */
export interface PaymentMethod {
  method: (typeof METHODS)[number]
  gateway: (typeof GATEWAYS)[number]
}

/** Reads `pix=asaas`; `undefined` for an unknown method or gateway. */
export function parsePaymentMethod(text: string): PaymentMethod | undefined {
  const [left, right] = text.split('=', 2)
  const method = METHODS.find((name) => name === left)
  const gateway = GATEWAYS.find((name) => name === right)
  return method && gateway ? { method, gateway } : undefined
}
