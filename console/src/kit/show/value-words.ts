import type { Locale } from '../../i18n/locales.ts'
import { wordOf } from '../../payments/word-of.ts'
import { formatMoney, formatTime } from './formats.ts'

/**
 * What a field holds, where its value alone does not tell: `money` in centavos · `secret`, which is never shown · `presence`, where it only
 * matters whether there is anything · or the words for names of the API in it.
 */
export type ValueKind = 'money' | 'secret' | 'presence' | Readonly<Record<string, string>>

interface Words {
  yes: string
  no: string
  none: string
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** A value of the API as people write it, to compare with another. */
export function valueWords(value: unknown, kind: ValueKind | undefined, { words, locale }: { words: Words; locale: Locale }): string {
  const inside = (one: unknown) => valueWords(one, kind, { words, locale })
  const names = typeof kind === 'object' ? kind : {}
  if (kind === 'presence') return value === undefined || value === null || value === false ? words.no : words.yes
  if (value === undefined || value === null || value === '') return words.none
  if (kind === 'secret') return '••••••••'
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (typeof value === 'number') return kind === 'money' ? formatMoney(value, locale) : value.toLocaleString(locale)
  if (typeof value === 'string') return TIME.test(value) ? formatTime(value, locale) : wordOf(names, value)
  if (Array.isArray(value)) return value.map(inside).join('; ') || words.none
  const entries = Object.entries(value)
  return entries.map(([name, one]) => `${wordOf(names, name)}: ${inside(one)}`).join(', ') || words.none
}
