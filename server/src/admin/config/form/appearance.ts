import {
  APPEARANCE_FIELDS,
  type AppearanceField,
  FIELD_NAMES,
  IMAGE_FIELDS,
  type ImageInfo,
  parseAppearanceField,
} from '../../../appearance/index.ts'
import type { AppearanceConfiguration, Configuration } from './configuration.ts'

type Look = NonNullable<AppearanceConfiguration>
type ImagePlace = NonNullable<Look['logo_light']>

/** The name of an image's file in the canonical form: its hash. */
export function imageFile({ hash, type }: Pick<ImageInfo, 'hash' | 'type'>): string {
  return `${hash}.${type}`
}

/** The hash that such a name has; `undefined` for any other file. */
export function hashOfFile(file: string): string | undefined {
  return /^([0-9a-f]{32})\.(?:svg|png)$/.exec(file)?.[1]
}

export function isImageField(field: AppearanceField): boolean {
  return IMAGE_FIELDS.some((one) => one === field)
}

/** A look with its texts as they are stored. `null` empties every field. */
export function canonicalAppearance(look: AppearanceConfiguration): Look {
  return Object.fromEntries(
    APPEARANCE_FIELDS.flatMap((field): Array<[string, string | ImagePlace | null]> => {
      const value = look === null ? null : look[FIELD_NAMES[field]]
      if (value === undefined) return []
      return [[FIELD_NAMES[field], typeof value === 'string' ? asStored(field, value) : value]]
    }),
  )
}

/** A text that is refused stays as it is, to be named so. */
function asStored(field: AppearanceField, text: string): string {
  const parsed = parseAppearanceField(field, text)
  return 'value' in parsed ? parsed.value : text
}

/** A look without any field is written as `null`. */
export function writtenAppearance(look: AppearanceConfiguration | undefined): AppearanceConfiguration | undefined {
  return look && Object.values(look).every((value) => value === null) ? null : look
}

/** The looks of a file by their paths. */
export function listLooks({ appearance, products = {} }: Configuration): Array<[path: string, look: Look]> {
  const ofProducts = Object.entries(products).map(([slug, product]) => [`products.${slug}.appearance`, product.appearance] as const)
  return [['appearance', appearance] as const, ...ofProducts].flatMap(([path, look]) => (look ? [[path, look]] : []))
}

/** The images that a file names, by the paths of their fields. */
export function listImagePlaces(configuration: Configuration): Array<[path: string, place: ImagePlace]> {
  return listLooks(configuration).flatMap(([path, look]) =>
    IMAGE_FIELDS.flatMap((field): Array<[string, ImagePlace]> => {
      const place = look[FIELD_NAMES[field]]
      return place ? [[`${path}.${FIELD_NAMES[field]}`, place]] : []
    }),
  )
}
