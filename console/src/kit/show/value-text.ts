import type { Locale } from '../../i18n/locales.ts'
import { labelOf } from '../../payments/label-of.ts'
import { formatMoney, formatTime } from './formats.ts'

/**
 * The kind of a field whose value alone does not tell: `money` in centavos · `secret`, which is never shown · `presence`, where it only
 * matters whether there is a value · the labels for the API's names in it · or, for a value with fields of its own, the labels of those and
 * of what they may have: a text in a field without such labels is somebody's own.
 */
export type ValueKind = 'money' | 'secret' | 'presence' | Labelled | Inner
type Labelled = Readonly<Record<string, string>>

export interface Inner {
  fields: Labelled
  labelsOf(field: string): Labelled
}

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
  const inner = typeof kind === 'object' && isInner(kind) ? kind : undefined
  const names: Labelled = typeof kind === 'object' && !isInner(kind) ? kind : {}
  if (kind === 'presence') return value === undefined || value === null || value === false ? labels.no : labels.yes
  if (value === undefined || value === null || value === '') return labels.none
  if (kind === 'secret') return '••••••••'
  if (typeof value === 'boolean') return value ? labels.yes : labels.no
  if (typeof value === 'number') return kind === 'money' ? formatMoney(value, locale) : value.toLocaleString(locale)
  if (typeof value === 'string') return TIME.test(value) ? formatTime(value, locale, zone) : labelOf(names, value)
  if (Array.isArray(value)) return value.map(inside).join('; ') || labels.none
  const entries = Object.entries(value).map(([name, one]) =>
    inner
      ? `${labelOf(inner.fields, name)}: ${typeof one === 'object' ? inside(one) : valueText(one, inner.labelsOf(name), reader)}`
      : `${labelOf(names, name)}: ${inside(one)}`,
  )
  return entries.join(', ') || labels.none
}

function isInner(kind: Labelled | Inner): kind is Inner {
  return typeof kind.labelsOf === 'function'
}
