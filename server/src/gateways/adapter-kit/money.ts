/**
 * Centavos from decimal reais as a number or text, by its digits: 19.9 is 1990, and never 1989. `undefined` for a negative or invalid
 * amount, and for more than two decimal places other than zeros.
 */
export function centavosOfReais(amount: unknown): number | undefined {
  if (typeof amount !== 'number' && typeof amount !== 'string') return undefined
  const [, whole = '', decimals = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(String(amount)) ?? []
  if (whole === '' || !/^\d{0,2}0*$/.test(decimals)) return undefined
  return Number(whole) * 100 + Number(decimals.slice(0, 2).padEnd(2, '0'))
}

/** Centavos as a gateway sends them; `undefined` for anything but a whole number. */
export function centavos(amount: unknown): number | undefined {
  return typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0 ? amount : undefined
}
