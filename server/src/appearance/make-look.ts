import type { MailLook } from '../mail/index.ts'
import { BUILT_IN_PALETTE, favicon, type Look, type LookImage, parseFooterHref, touchIcon } from '../pages/index.ts'
import type { Queryable } from '../storage/index.ts'
import { accentStyles, letterIcon } from './accent-styles.ts'
import { type Appearance, inherit } from './appearance.ts'
import { applyDraft } from './apply-draft.ts'
import { derivePalette } from './colours/palette.ts'
import type { AppearanceChange } from './fields/appearance-change.ts'
import { IMAGE_TYPES, type ImageInfo, imagePath } from './images/image.ts'
import { appearanceStore, type StoredAppearances } from './store.ts'

type LookSources = Pick<StoredAppearances, 'images'>

const BUILT_IN_NAME = 'Portaria'

/** The look that stored fields mean. A field that is no longer understood counts as not set. Pure. */
function makeLook(appearance: Appearance, { images }: LookSources): MailLook {
  const { name = BUILT_IN_NAME, senderName, replyTo, footer } = appearance
  const styles = appearance.accent === undefined ? undefined : accentStyles(appearance.accent)
  const palette = styles && appearance.accent !== undefined ? derivePalette(appearance.accent) : BUILT_IN_PALETTE
  const mark = appearance.name === undefined ? 'portaria' : 'letter'
  const { logoLight, logoDark, favicon: ownIcon, touchIcon: ownTouchIcon } = appearance
  const [light, dark, icon, touch] = [logoLight, logoDark, ownIcon, ownTouchIcon].map((hash) => findImage(hash, images))
  const madeIcon = mark === 'letter' ? letterIcon(name, palette.light) : favicon
  return {
    name,
    mark,
    logo: light && { light, ...(dark && { dark }) },
    icon: icon ?? { path: madeIcon.path, type: madeIcon.type },
    touchIcon: touch?.path ?? touchIconOf(icon, mark),
    stylesheet: styles?.path,
    palette,
    support: hrefOf(appearance.supportUrl),
    terms: hrefOf(appearance.termsUrl),
    privacy: hrefOf(appearance.privacyUrl),
    footer,
    senderName: senderName ?? appearance.name,
    replyTo,
  }
}

/** The icon of phones where none is set. A drawing is none: phones and messengers show no SVG. */
function touchIconOf(icon: LookImage | undefined, mark: Look['mark']): Look['touchIcon'] {
  if (icon) return icon.type === 'image/png' ? icon.path : undefined
  return mark === 'portaria' ? touchIcon.path : undefined
}

/** The look of a mail that a transaction is about to queue. `productId`: the app in whose sign-in it is sent. */
export async function readMailLook(db: Queryable, productId?: string): Promise<MailLook> {
  return lookIn(await appearanceStore(db).read({ productId }), productId)
}

/** The look that a product, or the operator, would have with a draft's changes. A field that is refused stays as it is stored. */
export async function readDraftLook(db: Queryable, productId: string | undefined, draft: AppearanceChange): Promise<MailLook> {
  const { operator, products } = await appearanceStore(db).read({ productId })
  const images = new Map((await appearanceStore(db).listImages()).map((image) => [image.hash, image]))
  if (productId === undefined) return lookIn({ operator: applyDraft(operator, draft), products, images }, undefined)
  const own = applyDraft(products.get(productId) ?? {}, draft)
  return lookIn({ operator, products: new Map([[productId, own]]), images }, productId)
}

export function lookIn(stored: StoredAppearances, productId: string | undefined): MailLook {
  const product = productId === undefined ? undefined : stored.products.get(productId)
  return makeLook(inherit(product, stored.operator), stored)
}

/** The logo that a product has of its own; the operator's is not that of its apps. */
export function ownLogoIn({ products, images }: StoredAppearances, productId: string): Look['logo'] {
  const own = products.get(productId)
  const [light, dark] = [own?.logoLight, own?.logoDark].map((hash) => findImage(hash, images))
  return light && { light, ...(dark && { dark }) }
}

function findImage(hash: string | undefined, images: LookSources['images']): LookImage | undefined {
  const image: ImageInfo | undefined = hash === undefined ? undefined : images.get(hash)
  return image && { path: imagePath(image), type: IMAGE_TYPES[image.type], width: image.width, height: image.height }
}

function hrefOf(address: string | undefined) {
  return address === undefined ? undefined : parseFooterHref(address)
}
