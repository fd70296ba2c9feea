/** The payment's subscription, when its bill was made (ms, if known), and the time (ms) that counts where the payment states none. */
export interface Known {
  preapproval: unknown
  billedAt?: number | undefined
  otherwiseAt: number
}
