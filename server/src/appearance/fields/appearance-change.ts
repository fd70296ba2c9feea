import { APPEARANCE_FIELDS, type Appearance, type AppearanceField } from '../appearance.ts'
import { type FieldFault, parseAppearanceField } from './parse-field.ts'

/** An absent field stays; `null` empties it, so that the operator's or the built-in one counts. */
export type AppearanceChange = Readonly<Partial<Record<AppearanceField, string | null>>>

export type AppearanceRefusal = ({ refusal: 'field_refused'; field: AppearanceField } & FieldFault) | { refusal: 'changed_meanwhile' }

export function parseChange(
  change: AppearanceChange,
): { change: AppearanceChange } | Extract<AppearanceRefusal, { field: AppearanceField }> {
  const parsed: Partial<Record<AppearanceField, string | null>> = {}
  for (const field of APPEARANCE_FIELDS) {
    const text = change[field]
    if (text === undefined) continue
    const read = text === null ? { value: null } : parseAppearanceField(field, text)
    if ('why' in read) return { refusal: 'field_refused', field, ...read }
    parsed[field] = read.value
  }
  return { change: parsed }
}

export function apply(before: Appearance, change: AppearanceChange): Appearance {
  return Object.fromEntries(
    APPEARANCE_FIELDS.flatMap((field) => {
      const value = change[field] === undefined ? before[field] : change[field]
      return typeof value === 'string' ? [[field, value]] : []
    }),
  )
}

/** The fields before a change that it names; an absent one is left out, as in `after` it is null. */
export function part(before: Appearance, change: AppearanceChange): Appearance {
  return Object.fromEntries(Object.entries(before).filter(([field]) => Object.hasOwn(change, field)))
}
