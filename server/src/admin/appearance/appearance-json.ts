import {
  APPEARANCE_FIELDS,
  type Appearance,
  type AppearanceChange,
  FIELD_NAMES,
  type FieldName,
  readMailLook,
} from '../../appearance/index.ts'
import type { Queryable } from '../../storage/index.ts'

/**
 * The fields that are set, and below `shown` those that pages and mails show: an empty field has the operator's value there, or the
 * built-in one.
 */
export async function appearanceJson(
  appearance: Appearance,
  { product, db, baseUrl }: { product: { id: string; slug: string } | undefined; db: Queryable; baseUrl: string },
) {
  const look = await readMailLook(db, product?.id)
  const urlOf = (path: string | undefined) => (path === undefined ? null : `${baseUrl}${path}`)
  const own = Object.fromEntries(APPEARANCE_FIELDS.map((field) => [FIELD_NAMES[field], appearance[field] ?? null]))
  return {
    product: product?.slug ?? null,
    ...own,
    shown: {
      name: look.name,
      accent: look.palette.light.accent,
      accent_dark: look.palette.dark.accent,
      logo_light_url: urlOf(look.logo?.light.path),
      logo_dark_url: urlOf(look.logo?.dark?.path),
      favicon_url: urlOf(look.icon.path),
      touch_icon_url: urlOf(look.touchIcon),
      sender_name: look.senderName ?? null,
      reply_to: look.replyTo ?? null,
      support_url: look.support ?? null,
      terms_url: look.terms ?? null,
      privacy_url: look.privacy ?? null,
      footer: look.footer ?? null,
    },
  }
}

/** A change as the wire has it. */
export function changeFrom(body: Readonly<Partial<Record<FieldName, string | null | undefined>>>): AppearanceChange {
  return Object.fromEntries(
    APPEARANCE_FIELDS.flatMap((field) => {
      const value = body[FIELD_NAMES[field]]
      return value === undefined ? [] : [[field, value]]
    }),
  )
}
