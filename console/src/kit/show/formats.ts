import type { Locale } from '../../i18n/locales.ts'

/** A day beside a time. In English the month is a word, since the order of day and month depends on the reader's country. */
const days = {
  'pt-BR': { day: '2-digit', month: '2-digit', year: 'numeric' },
  en: { day: 'numeric', month: 'short', year: 'numeric' },
  es: { day: '2-digit', month: '2-digit', year: 'numeric' },
} as const satisfies Record<Locale, Intl.DateTimeFormatOptions>

/** An ISO time in a zone, to the minute. */
export function formatTime(iso: string, locale: Locale, zone: string): string {
  const text = new Intl.DateTimeFormat(locale, { ...days[locale], hour: '2-digit', minute: '2-digit', timeZone: zone }).format(
    new Date(iso),
  )
  return text.replace(/\s(?=[AP]M$)/, '\u00a0')
}

/** The same to the second, with the zone, and in UTC as the API writes it. */
export function formatExactTime(iso: string, locale: Locale, zone: string): string {
  return `${new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long', timeZone: zone }).format(new Date(iso))} · ${iso}`
}

/** A Brazilian number in its national form, any other as stored: as the account's own page shows it. */
export function formatPhone(phone: string): string {
  return phone.replace(/^\+55(\d{2})(\d{4,5})(\d{4})$/, '+55 $1 $2-$3')
}

/** Centavos as reais. */
export function formatMoney(centavos: number, locale: Locale): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency: 'BRL', currencyDisplay: 'narrowSymbol' }).format(centavos / 100)
}

/** The amount paid, in reais or, as `USD 4900`, in another currency; `undefined`: it is not known. */
export function formatPaid(
  { amount, foreign_amount }: { amount: number | null; foreign_amount: string | null },
  locale: Locale,
): string | undefined {
  if (amount !== null) return formatMoney(amount, locale)
  const [currency, units] = foreign_amount?.split(' ') ?? []
  return currency === undefined ? undefined : formatForeign(Number(units), currency, locale)
}

/** An amount in the smallest unit of its currency, which may be reais. */
export function formatAmount(units: number, currency: string, locale: Locale): string {
  return currency === 'BRL' ? formatMoney(units, locale) : formatForeign(units, currency, locale)
}

/** An amount in the smallest unit of another currency. Many countries have dollars: the sign says which. */
export function formatForeign(units: number, currency: string, locale: Locale): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  return format.format(units / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}
