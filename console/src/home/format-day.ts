import type { Locale } from '../i18n/locales.ts'

/** A day of UTC, as `20/11`. It is the same day wherever it is read. */
export function formatDay(day: string, locale: Locale): string {
  if (day === '') return ''
  return new Intl.DateTimeFormat(locale, { day: '2-digit', month: 'short', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
}
