import type { Locale } from '../i18n/locales.ts'

/** An ISO time in the person's own zone, to the second. */
export function formatTime(iso: string, locale: Locale): string {
  const text = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'medium' }).format(new Date(iso))
  return text.replace(/\s(?=[AP]M$)/, '\u00a0')
}

/** Centavos as reais. */
export function formatMoney(centavos: number, locale: Locale): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency: 'BRL', currencyDisplay: 'narrowSymbol' }).format(centavos / 100)
}
