import type { ForeignAmount } from '../payment-history/index.ts'

/** The currency of the operator's figures. All others stand apart. */
export const REAIS = 'BRL'

/** An amount in the smallest unit of its currency; `undefined`: it is not known. */
export interface Money {
  currency: string
  amount: number | undefined
}

/** The amount that was stated of a payment. An amount that is not known counts as one in reais. */
export function moneyOf({ amount, foreign }: { amount: number | undefined; foreign?: ForeignAmount | undefined }): Money {
  return amount === undefined && foreign ? { ...foreign } : { currency: REAIS, amount }
}
