import { versionOf } from '../kit/index.ts'

/** Everything that an operator can set, for all pages or for those of one product. */
export const APPEARANCE_FIELDS = [
  'name',
  'accent',
  'logoLight',
  'logoDark',
  'favicon',
  'senderName',
  'replyTo',
  'supportUrl',
  'termsUrl',
  'privacyUrl',
  'footer',
] as const

export type AppearanceField = (typeof APPEARANCE_FIELDS)[number]

/** Fields that hold the hash of an image. */
export const IMAGE_FIELDS = ['logoLight', 'logoDark', 'favicon'] as const satisfies readonly AppearanceField[]

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
  const { logoLight, logoDark, favicon, senderName, ...common } = operator
  return {
    ...common,
    ...(!isNamed && !hasLogo && { logoLight, logoDark }),
    ...(!isNamed && { favicon, senderName }),
    ...product,
  }
}
