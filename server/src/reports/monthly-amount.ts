import { DAY_MS, HOUR_MS } from '../kit/index.ts'

const DAYS_OF_MONTH = 30.436875

/**
 * The amount of a payment for one month of its period, in centavos: a year's by twelve, a week's by the weeks of a month. `undefined`
 * where no end is stated. A period of whole months counts as that many, whatever their days.
 */
export function monthlyAmount(amount: number, period: Period): number | undefined {
  const days = daysOf(period)
  if (!Number.isFinite(days) || days <= 0) return undefined
  const months = Math.round(days / DAYS_OF_MONTH)
  const isWhole = months >= 1 && Math.abs(days - months * DAYS_OF_MONTH) <= 4
  return Math.round(isWhole ? amount / months : (amount * DAYS_OF_MONTH) / days)
}

interface Period {
  begin: number
  end: number
  isByDueDays?: boolean
}

/**
 * Asaas states days alone: its periods go from the beginning of a due day, in Brasília, to the end of the next one. So a week has eight
 * days, one of which is the next week's too. Without a stated beginning a period begins when it is paid.
 */
function daysOf({ begin, end, isByDueDays = false }: Period): number {
  const days = (end - begin) / DAY_MS
  return isByDueDays && begin % DAY_MS === MIDNIGHT && end % DAY_MS === MIDNIGHT ? days - 1 : days
}

/** Of Brasília, in UTC. */
const MIDNIGHT = 3 * HOUR_MS
