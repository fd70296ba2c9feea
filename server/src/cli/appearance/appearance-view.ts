import { type Appearance, type AppearanceField, type AppearanceRefusal, FIELD_NAMES, type ImageRefusal } from '../../appearance/index.ts'
import { fields } from '../command/layout.ts'

/** The option that sets a field, and empties it with `--clear`. */
export const OPTION_OF = {
  name: 'name',
  accent: 'accent',
  logoLight: 'logo',
  logoDark: 'logo-dark',
  favicon: 'favicon',
  touchIcon: 'touch-icon',
  senderName: 'sender-name',
  replyTo: 'reply-to',
  supportUrl: 'support',
  termsUrl: 'terms',
  privacyUrl: 'privacy',
  footer: 'footer',
} as const satisfies Record<AppearanceField, string>

export const OPTIONS = Object.values(OPTION_OF)

/** The fields of a look as a text: the own value, or the operator's value that applies without one. */
export function appearanceText(own: Appearance, shown: Appearance): string {
  const line = (field: AppearanceField): [string, string] => {
    const [set, counts] = [own[field], shown[field]]
    return [OPTION_OF[field], set ?? (counts === undefined ? 'not set' : `${counts} (the operator's)`)]
  }
  return fields(Object.keys(FIELD_NAMES).filter(isField).map(line))
}

export function isField(text: string): text is AppearanceField {
  return Object.hasOwn(FIELD_NAMES, text)
}

export function appearanceSentence(refused: AppearanceRefusal): string {
  const reason = appearanceReason(refused)
  return refused.refusal === 'changed_meanwhile' ? reason : `--${OPTION_OF[refused.field]}: ${reason}`
}

/** The same without the field's name. */
export function appearanceReason(refused: AppearanceRefusal): string {
  if (refused.refusal === 'changed_meanwhile') return 'somebody changed it at the same moment: look at it and try again'
  switch (refused.why) {
    case 'malformed':
      return `expects ${EXPECTS[refused.field]}`
    case 'no_such_image':
      return 'there is no such image'
    case 'not_square':
      return 'expects a square picture'
    case 'not_a_png':
      return 'expects a PNG: phones and messengers show no SVG'
    case 'needs_light_logo':
      return 'expects a logo for the light scheme too'
    case 'too_little_contrast':
      return `text in this colour has a contrast of ${refused.ratio.toFixed(2)}:1 and needs 4.5:1 to be read; the nearest colour that has it is ${refused.nearest}`
  }
}

const ADDRESS = 'an address that begins with https:// or mailto:'

const EXPECTS: Record<AppearanceField, string> = {
  name: 'one line of 60 characters at most',
  accent: 'a colour as #1a4fd6',
  logoLight: 'a file',
  logoDark: 'a file',
  favicon: 'a file',
  touchIcon: 'a file',
  senderName: 'one line of 60 characters at most, without quotes, brackets or @',
  replyTo: 'a mail address',
  supportUrl: ADDRESS,
  termsUrl: ADDRESS,
  privacyUrl: ADDRESS,
  footer: 'one line of 200 characters at most',
}

export function imageSentence(refused: ImageRefusal, file: string): string {
  const what = 'what' in refused && refused.what !== undefined ? ` (${refused.what})` : ''
  return `${file}: ${IMAGE_SENTENCES[refused.refusal]}${what}`
}

const IMAGE_SENTENCES: Record<ImageRefusal['refusal'], string> = {
  image_too_large: 'a picture may have 200 KB at most',
  image_empty: 'it is empty',
  not_an_image: 'expects an SVG or a PNG',
  png_damaged: 'this PNG is damaged',
  png_size: 'a PNG may have 2000 pixels a side at most',
  svg_damaged: 'this is no SVG that can be understood; save it again as a plain SVG',
  svg_element: 'an SVG may draw and nothing else; it has an element that may do more',
  svg_handler: 'an SVG must not run anything; it has a handler of events',
  svg_address: 'an SVG must not refer to anything outside itself; it does',
  svg_style: 'an SVG has plain styles only; it has one that could fetch something',
  svg_size: 'an SVG needs a viewBox, or width and height',
  svg_too_much: 'this SVG draws too much, or refers to itself',
}
