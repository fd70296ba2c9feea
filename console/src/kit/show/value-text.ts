import type { Locale } from '../../i18n/locales.ts'
import { labelOf } from '../../payments/label-of.ts'
import { formatMoney, formatTime } from './formats.ts'

/**
 * The kind of a field whose value alone does not tell: `money` in centavos · `secret`, which is never shown · `presence`, where it only
 * matters whether there is a value · or the labels for the API's names in it.
 */
export type ValueKind = 'money' | 'secret' | 'presence' | Readonly<Record<string, string>>

interface Reader {
  labels: Labels
  locale: Locale
  /** Of the operator. */
  zone: string
}

interface Labels {
  yes: string
  no: string
  none: string
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** A value of the API in readable form, for comparison with another. */
export function valueText(value: unknown, kind: ValueKind | undefined, reader: Reader): string {
  const { labels, locale, zone } = reader
  const inside = (one: unknown) => valueText(one, kind, reader)
  const names = typeof kind === 'object' ? kind : {}
  if (kind === 'presence') return value === undefined || value === null || value === false ? labels.no : labels.yes
  if (value === undefined || value === null || value === '') return labels.none
  if (kind === 'secret') return '••••••••'
  if (typeof value === 'boolean') return value ? labels.yes : labels.no
  if (typeof value === 'number') return kind === 'money' ? formatMoney(value, locale) : value.toLocaleString(locale)
  if (typeof value === 'string') return TIME.test(value) ? formatTime(value, locale, zone) : labelOf(names, value)
  if (Array.isArray(value)) return value.map(inside).join('; ') || labels.none
  const entries = Object.entries(value)
  return entries.map(([name, one]) => `${labelOf(names, name)}: ${inside(one)}`).join(', ') || labels.none
}
