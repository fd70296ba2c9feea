import { DAY_MS } from '../kit/index.ts'

const DAYS_OF_MONTH = 30.436875

/**
 * The amount of a payment for one month of its period, in centavos: a year's by twelve, a week's by the weeks of a month. `undefined`
 * where no end is stated. A period of whole months counts as that many, whatever their days.
 */
export function monthlyAmount(amount: number, { begin, end }: { begin: number; end: number }): number | undefined {
  const days = (end - begin) / DAY_MS
  if (!Number.isFinite(days) || days <= 0) return undefined
  const months = Math.round(days / DAYS_OF_MONTH)
  const isWhole = months >= 1 && Math.abs(days - months * DAYS_OF_MONTH) <= 4
  return Math.round(isWhole ? amount / months : (amount * DAYS_OF_MONTH) / days)
}
