import type { Locale } from '../../../i18n/locales.ts'
import { dayOf } from '../../days.ts'

/** A filter of a list, by the API's name: text, one of some values (with `suggestion` any), a first or last day, or a day. */
export type Filter = { name: string; label: string /** It means nothing without this one. */; needs?: string } & (
  | { kind: 'text' }
  | {
      kind: 'choice' | 'suggestion'
      choices: ReadonlyArray<Choice>
      /** The label of no choice. Without it that is “all”. */
      none?: string
    }
  | { kind: 'from' | 'until' | 'day' }
)

interface Choice {
  value: string
  label: string
}

export function isOfDays({ kind }: Filter): boolean {
  return kind === 'from' || kind === 'until' || kind === 'day'
}

/** The value of a filter in words: the name of a choice, a day in the operator's zone, or the value as it is. */
export function shownValue(filter: Filter | undefined, value: string, { locale, zone }: { locale: Locale; zone: string }): string {
  if (filter && isOfDays(filter)) {
    const day = filter.kind === 'day' ? (/^\d{4}-\d\d-\d\d$/.test(value) ? value : '') : dayOf(value, zone)
    return day === ''
      ? value
      : new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
  }
  return filter && 'choices' in filter ? (filter.choices.find((choice) => choice.value === value)?.label ?? value) : value
}

/** The value that was meant by what was typed: that of the choice with this label, or the text itself. */
export function typedValue(filter: Filter, typed: string): string {
  const text = typed.trim()
  return 'choices' in filter ? (filter.choices.find(({ label }) => label.toLowerCase() === text.toLowerCase())?.value ?? text) : text
}
