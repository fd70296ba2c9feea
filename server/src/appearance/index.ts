// appearance: how pages and mails appear to users. Owns: the operator's look and those of products, logos and icons with the check of their
// content, the accent's colours and their contrast, the files of a look under their hashes. Does not own: pages and mails themselves, which
// are given a look (pages, mail).

export { accentStyles } from './accent-styles.ts'
export {
  APPEARANCE_FIELDS,
  type Appearance,
  type AppearanceField,
  appearanceVersion,
  FIELD_NAMES,
  type FieldName,
  IMAGE_FIELDS,
} from './appearance.ts'
export { createAppearances } from './appearances.ts'
export { appearanceRoutes } from './asset-routes.ts'
export { applyAppearanceChange, changeAppearance } from './change-appearance.ts'
export type { AppearanceChange, AppearanceRefusal } from './fields/appearance-change.ts'
export { examineAccent } from './fields/examine-accent.ts'
export { parseAppearanceField } from './fields/parse-field.ts'
export { addImage, insertImage } from './images/add-image.ts'
export { type BrandImage, type ImageInfo, type ImageRefusal, imagePath, MAX_IMAGE_BYTES, parseImage } from './images/image.ts'
export { readDraftLook, readMailLook } from './make-look.ts'
export { appearanceStore } from './store.ts'
