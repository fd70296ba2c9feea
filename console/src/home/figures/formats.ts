import type { Locale } from '../../i18n/locales.ts'
import { formatMoney } from '../../kit/show/formats.ts'

/** A number of things, or centavos of reais. */
export type Kind = 'count' | 'money'

export function textOf(value: number, kind: Kind, locale: Locale): string {
  return kind === 'money' ? formatMoney(value, locale) : new Intl.NumberFormat(locale).format(value)
}

/** As `R$ 1,2 mil`, for a grid. */
export function compactOf(value: number, kind: Kind, locale: Locale): string {
  const short = { notation: 'compact', maximumFractionDigits: 1 } as const
  if (kind === 'count') return new Intl.NumberFormat(locale, short).format(value)
  const money = { style: 'currency', currency: 'BRL', currencyDisplay: 'narrowSymbol', minimumFractionDigits: 0 } as const
  return new Intl.NumberFormat(locale, { ...short, ...money }).format(value / 100)
}

/** From ten times as much on, a percentage says nothing. */
const MAX_CHANGE = 9

/** By how much it differs, as `+12%`; `undefined` where there is nothing to compare with. */
export function percentOf(value: number, before: number, locale: Locale): string | undefined {
  const change = (value - before) / before
  if (before <= 0 || change > MAX_CHANGE) return undefined
  const format = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })
  return format.format(change)
}
