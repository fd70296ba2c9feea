export const METHODS = ['pix', 'boleto', 'card'] as const
export const GATEWAYS = ['stripe', 'mercadopago', 'asaas', 'pagarme'] as const

export type Gateway = (typeof GATEWAYS)[number]

/** Gateways that need the experiment of the same name. */
export const EXPERIMENTAL_GATEWAYS = ['pagarme'] as const satisfies readonly Gateway[]

/** The gateways of an installation, by the experiments that are on. */
export function gatewaysWith(experiments: readonly string[]): readonly Gateway[] {
  return GATEWAYS.filter((name) => EXPERIMENTAL_GATEWAYS.every((other) => other !== name) || experiments.some((on) => on === name))
}

/** The gateway that takes a product's payments of one method. */
export interface PaymentMethod {
  method: (typeof METHODS)[number]
  gateway: Gateway
}

/** Reads `pix=asaas`; `undefined` for an unknown method or gateway. */
export function parsePaymentMethod(text: string): PaymentMethod | undefined {
  const [left, right] = text.split('=', 2)
  const method = METHODS.find((name) => name === left)
  const gateway = GATEWAYS.find((name) => name === right)
  return method && gateway ? { method, gateway } : undefined
}
