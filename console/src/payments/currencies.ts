import { useLocale } from 'react-admin'
import { localeOf } from '../i18n/locales.ts'
import type { Filter } from '../kit/list/list-filters.tsx'

/** Currencies of the neighbours, and those in which most is paid elsewhere. */
const CURRENCIES = ['ARS', 'CLP', 'COP', 'EUR', 'GBP', 'JPY', 'MXN', 'PEN', 'PYG', 'USD', 'UYU']

/** The currency of a list's amounts: reais where none is chosen. */
export function useCurrencyFilter(label: string, needs?: string): Filter {
  const names = new Intl.DisplayNames(localeOf(useLocale()), { type: 'currency' })
  return {
    name: 'currency',
    label,
    kind: 'choice',
    none: `BRL: ${names.of('BRL') ?? ''}`,
    choices: CURRENCIES.map((value) => ({ value, label: `${value}: ${names.of(value) ?? value}` })),
    ...(needs !== undefined && { needs }),
  }
}
