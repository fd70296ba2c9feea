import { versionOf } from '../kit/index.ts'

/**
 * Everything that an operator can set, for all pages or for those of one product, by its name in columns, on the wire, in files of settings
 * and on the command line.
 */
export const FIELD_NAMES = {
  name: 'name',
  accent: 'accent',
  logoLight: 'logo_light',
  logoDark: 'logo_dark',
  favicon: 'favicon',
  touchIcon: 'touch_icon',
  senderName: 'sender_name',
  replyTo: 'reply_to',
  supportUrl: 'support_url',
  termsUrl: 'terms_url',
  privacyUrl: 'privacy_url',
  footer: 'footer',
} as const

export type AppearanceField = keyof typeof FIELD_NAMES
export type FieldName = (typeof FIELD_NAMES)[AppearanceField]
export const APPEARANCE_FIELDS = Object.keys(FIELD_NAMES) as readonly AppearanceField[]

/** Fields that hold the hash of an image. */
export const IMAGE_FIELDS = ['logoLight', 'logoDark', 'favicon', 'touchIcon'] as const satisfies readonly AppearanceField[]

/** The fields that are set, each in its normal form. */
export type Appearance = Readonly<{ [Field in AppearanceField]?: string | undefined }>

/** A hash of the present state: it shows whether an editor's copy is out of date. */
export function appearanceVersion(appearance: Appearance): string {
  return versionOf(APPEARANCE_FIELDS.map((field) => appearance[field] ?? null))
}

/**
 * A product's look: its own fields, and the operator's for all others. With a name of its own, or half a pair of logos, it shows no logo of
 * another name.
 */
export function inherit(product: Appearance = {}, operator: Appearance = {}): Appearance {
  const isNamed = product.name !== undefined
  const hasLogo = product.logoLight !== undefined || product.logoDark !== undefined
  const { logoLight, logoDark, favicon, touchIcon, senderName, ...common } = operator
  return {
    ...common,
    ...(!isNamed && !hasLogo && { logoLight, logoDark }),
    ...(!isNamed && { favicon, senderName }),
    ...(!isNamed && product.favicon === undefined && { touchIcon }),
    ...product,
  }
}
