/** An amount of a payment that was not made in reais. It is compared with no price and added to no reais. */
export interface ForeignAmount {
  /** ISO 4217, as `USD`. */
  currency: string
  /** In the currency's smallest unit: cents of dollars, whole yen. */
  amount: number
}

/** The stored form: `USD 1990`. */
export function writeForeign({ currency, amount }: ForeignAmount): string {
  return `${currency} ${amount}`
}

/** The stored form of what an event says, as answers have it too; `null`: it says nothing of another currency. */
export function foreignText({ foreign }: { foreign?: ForeignAmount | undefined } = {}): string | null {
  return foreign ? writeForeign(foreign) : null
}

/** Reads the stored form. */
export function readForeign(text: string): ForeignAmount {
  const [currency = '', amount = ''] = text.split(' ')
  return { currency, amount: Number(amount) }
}
