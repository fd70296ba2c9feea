import { APPEARANCE_FIELDS, type Appearance, type AppearanceField } from './appearance.ts'
import { type AppearanceChange, apply } from './fields/appearance-change.ts'
import { parseAppearanceField } from './fields/parse-field.ts'

/** A look with a draft's changes. A field that is refused stays as it was. Pure. */
export function applyDraft(before: Appearance, draft: AppearanceChange): Appearance {
  const change: Partial<Record<AppearanceField, string | null>> = {}
  for (const field of APPEARANCE_FIELDS) {
    const text = draft[field]
    const parsed = typeof text === 'string' ? parseAppearanceField(field, text) : { value: text }
    if ('value' in parsed && parsed.value !== undefined) change[field] = parsed.value
  }
  return apply(before, change)
}
