/** Everything that can be set; images by their ids. */
export const fields = [
  'name',
  'accent',
  'logo_light',
  'logo_dark',
  'favicon',
  'touch_icon',
  'sender_name',
  'reply_to',
  'support_url',
  'terms_url',
  'privacy_url',
  'footer',
] as const

export type Field = (typeof fields)[number]
export type ImageField = 'logo_light' | 'logo_dark' | 'favicon' | 'touch_icon'

/** The look of pages and mails, in the API's form. */
export type Appearance = Record<Field, string | null> & {
  /** The product's slug; null: the operator's own. */
  product: string | null
  /** The look that users see: with the operator's and the built-in values where a field is empty. */
  shown: Record<Exclude<Field, ImageField>, string | null> & Record<`${ImageField}_url`, string | null>
}

/** A look while it is edited: an empty text is none. */
export type Draft = Record<Field, string>

export function draftOf(appearance: Appearance): Draft {
  const entries = fields.map((field) => [field, appearance[field] ?? ''])
  return Object.fromEntries(entries)
}

/** The fields of a draft that differ from what is stored. */
export function changesOf(draft: Draft, stored: Draft): Partial<Draft> {
  return Object.fromEntries(fields.filter((field) => draft[field] !== stored[field]).map((field) => [field, draft[field]]))
}

/** The same as the API wants them: null empties a field. */
export function bodyOf(changes: Partial<Draft>): Partial<Record<Field, string | null>> {
  return Object.fromEntries(Object.entries(changes).map(([field, text]) => [field, text.trim() === '' ? null : text]))
}

export interface StoredImage {
  id: string
  url: string
}

export const MAX_IMAGE_BYTES = 200 * 1024
