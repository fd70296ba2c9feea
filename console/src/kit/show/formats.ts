import type { Locale } from '../../i18n/locales.ts'

/** An ISO time in the user's own zone, to the second. */
export function formatTime(iso: string, locale: Locale): string {
  const text = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'medium' }).format(new Date(iso))
  return text.replace(/\s(?=[AP]M$)/, '\u00a0')
}

/** A Brazilian number in its national form, any other as stored: as the account's own page shows it. */
export function formatPhone(phone: string): string {
  return phone.replace(/^\+55(\d{2})(\d{4,5})(\d{4})$/, '+55 $1 $2-$3')
}

/** Centavos as reais. */
export function formatMoney(centavos: number, locale: Locale): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency: 'BRL', currencyDisplay: 'narrowSymbol' }).format(centavos / 100)
}
