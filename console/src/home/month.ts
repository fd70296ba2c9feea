import type { Locale } from '../i18n/locales.ts'

/** The first month that an address can name. */
export const OLDEST_MONTH = '2000-01'

/** A month of the address, as `2026-10`; `undefined` for anything else. */
export function readMonth(text: string | null): string | undefined {
  return text !== null && /^20\d\d-(?:0[1-9]|1[0-2])$/.test(text) ? text : undefined
}

/** The month that is so many months later, or earlier where negative. */
export function plusMonths(month: string, months: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7)
}

/** The months to choose from, the newest first: the last ones, and the chosen one where it is older. */
export function listMonths(newest: string, chosen: string): string[] {
  const months = Array.from({ length: LISTED }, (_, back) => plusMonths(newest, -back))
  return months.includes(chosen) ? months : [...months, chosen]
}

const LISTED = 36

export function daysInMonth(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).getUTCDate()
}

// A day of the operator's time zone is the same day wherever it is read.

/** As `outubro de 2026`. */
export function formatMonth(month: string, locale: Locale): string {
  return new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(Date.parse(`${month}-01`))
}

/** As `20 de nov.`. */
export function formatDay(day: string, locale: Locale): string {
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(Date.parse(day))
}

/** As `1–20 de novembro de 2026`. */
export function formatDays(from: string, to: string, locale: Locale): string {
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  return from === to ? format.format(Date.parse(from)) : format.formatRange(Date.parse(from), Date.parse(to))
}
