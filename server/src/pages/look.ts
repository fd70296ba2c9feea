import { favicon, touchIcon } from './assets/assets.ts'
import type { FooterHref } from './href.ts'

/** Colours of one scheme, as `#rrggbb`. */
export interface Colours {
  /** Buttons and other parts that can be pressed. */
  accent: string
  /** The same under the pointer. */
  accentDeep: string
  onAccent: string
  /** Links and other texts in the accent's hue. */
  accentText: string
  accentWash: string
  /** The light above the ground. */
  glow: string
}

export interface Palette {
  light: Colours
  dark: Colours
}

export interface LookImage {
  path: `/assets/${string}`
  type: string
  width: number
  height: number
}

/** How pages and mails appear: whose name they have, and its colours. Texts are plain and not trusted. */
export interface Look {
  name: string
  /** `portaria`: the product's own mark. `letter`: the first letter of the name. A logo takes the place of both. */
  mark: 'portaria' | 'letter'
  logo?: { light: LookImage; dark?: LookImage } | undefined
  /** The icon of the browser's tab. */
  icon: { path: `/assets/${string}`; type: string }
  /** A PNG for the home screens of phones; an operator's icon may be an SVG, which they don't show. */
  touchIcon?: `/assets/${string}` | undefined
  /** The stylesheet with the colours; absent for the built-in ones. */
  stylesheet?: `/assets/${string}` | undefined
  palette: Palette
  support?: FooterHref | undefined
  terms?: FooterHref | undefined
  privacy?: FooterHref | undefined
  /** A line at the foot, as the company's name and number. */
  footer?: string | undefined
}

/** The colours of `page.css`, which a test compares. */
export const BUILT_IN_PALETTE: Palette = {
  light: {
    accent: '#0d7a56',
    accentDeep: '#0a6446',
    onAccent: '#ffffff',
    accentText: '#0b6b4b',
    accentWash: '#e6f3ed',
    glow: '#e3efe8',
  },
  dark: {
    accent: '#3ecf97',
    accentDeep: '#62dcae',
    onAccent: '#06291b',
    accentText: '#5fdcae',
    accentWash: '#16302a',
    glow: '#14231c',
  },
}

export const BUILT_IN_LOOK: Look = {
  name: 'Portaria',
  mark: 'portaria',
  icon: { path: favicon.path, type: favicon.type },
  touchIcon: touchIcon.path,
  palette: BUILT_IN_PALETTE,
}

const LOGO_BOX = { width: 220, height: 56 }

/** The size at which a logo is shown: as large as its box lets it be. A picture of few pixels does not grow. */
export function logoSize({ width, height, type }: Pick<LookImage, 'width' | 'height' | 'type'>): { width: number; height: number } {
  const most = type === 'image/svg+xml' ? Number.POSITIVE_INFINITY : 1
  const scale = Math.min(LOGO_BOX.width / width, LOGO_BOX.height / height, most)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** The first letter or digit of a name, for the mark of a name without a logo. */
export function initialOf(name: string): string {
  return /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '•'
}
