import type { ForeignAmount } from '../../payment-history/index.ts'

/**
 * Centavos from decimal reais as a number or text, by its digits: 19.9 is 1990, and never 1989. `undefined` for a negative or invalid
 * amount, and for more than two decimal places other than zeros.
 */
export function centavosOfReais(amount: unknown): number | undefined {
  return unitsOf(amount, 2)
}

/** The same in the smallest unit of a currency, which has so many decimal places. */
function unitsOf(amount: unknown, places: number): number | undefined {
  if (typeof amount !== 'number' && typeof amount !== 'string') return undefined
  const [, whole = '', decimals = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(String(amount)) ?? []
  if (whole === '' || !/^0*$/.test(decimals.slice(places))) return undefined
  return Number(whole) * 10 ** places + Number(decimals.slice(0, places).padEnd(places, '0'))
}

/** An amount as an event has it: centavos of reais, or an amount of its own currency. */
export interface Stated {
  amount: number | undefined
  foreign?: ForeignAmount
}

/** An amount in the smallest unit of a currency, whose code is in either case. An unknown currency has none. */
export function statedIn(currency: string | undefined, units: number | undefined): Stated {
  const code = currency?.toUpperCase()
  if (code === 'BRL') return { amount: units }
  const isKnown = code !== undefined && units !== undefined && CURRENCIES.has(code)
  return { amount: undefined, ...(isKnown && { foreign: { currency: code, amount: units } }) }
}

/** A decimal amount of a currency. */
export function statedDecimal(currency: string, amount: unknown): Stated {
  const code = currency.toUpperCase()
  return CURRENCIES.has(code) ? statedIn(code, unitsOf(amount, placesOf(code))) : { amount: undefined }
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

function placesOf(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

/** Centavos as a gateway sends them; `undefined` for anything but a whole number. */
export function centavos(amount: unknown): number | undefined {
  return typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0 ? amount : undefined
}
