import { APPEARANCE_FIELDS, type Appearance, type AppearanceChange, type AppearanceField, readMailLook } from '../../appearance/index.ts'
import type { Queryable } from '../../storage/index.ts'

/** The names of the fields on the wire and on the command line. */
export const WIRE_FIELDS = {
  name: 'name',
  accent: 'accent',
  logoLight: 'logo_light',
  logoDark: 'logo_dark',
  favicon: 'favicon',
  senderName: 'sender_name',
  replyTo: 'reply_to',
  supportUrl: 'support_url',
  termsUrl: 'terms_url',
  privacyUrl: 'privacy_url',
  footer: 'footer',
} as const satisfies Record<AppearanceField, string>

export type WireField = (typeof WIRE_FIELDS)[AppearanceField]

/** What is set, and what is shown: with the operator's and the built-in values where a field is empty. */
export async function appearanceJson(
  appearance: Appearance,
  { product, db, baseUrl }: { product: { id: string; slug: string } | undefined; db: Queryable; baseUrl: string },
) {
  const look = await readMailLook(db, product?.id)
  const urlOf = (path: string | undefined) => (path === undefined ? null : `${baseUrl}${path}`)
  const own = Object.fromEntries(APPEARANCE_FIELDS.map((field) => [WIRE_FIELDS[field], appearance[field] ?? null]))
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
export function changeFrom(body: Readonly<Partial<Record<WireField, string | null | undefined>>>): AppearanceChange {
  return Object.fromEntries(
    APPEARANCE_FIELDS.flatMap((field) => {
      const value = body[WIRE_FIELDS[field]]
      return value === undefined ? [] : [[field, value]]
    }),
  )
}
