import { sha256Hex } from '../kit/index.ts'
import { type Colours, initialOf, type Palette } from '../pages/index.ts'
import { deriveDarkGrounds, derivePalette, judgeAccent, looksLikeFault } from './colours/palette.ts'

/** A file that is made of its path alone. */
export interface MadeFile {
  path: `/assets/${string}`
  type: string
  body: string
}

/** The colours of an accent as a stylesheet that comes after the pages' own. `undefined` for a colour that is not taken. */
export function accentStyles(accent: string): MadeFile | undefined {
  if (!/^#[0-9a-f]{6}$/.test(accent) || 'nearest' in judgeAccent(accent)) return undefined
  const { light, dark }: Palette = derivePalette(accent)
  const focus = looksLikeFault(accent) ? ';--focus:var(--ink)' : ''
  const body = `:root{${rules(light)}${focus}}\n@media (prefers-color-scheme:dark){:root{${rules(dark)};${groundRules(accent)}}}\n`
  return { path: `/assets/brand/accent-${accent.slice(1)}-${digestOf(body)}.css`, type: 'text/css; charset=utf-8', body }
}

/** An icon with the first letter of a name, for an operator without one. */
export function letterIcon(name: string, { accent, onAccent }: Pick<Colours, 'accent' | 'onAccent'>): MadeFile {
  const letter = initialOf(name)
  const point = letter.codePointAt(0) ?? 0
  return letterFile(String.fromCodePoint(point), accent, onAccent)
}

/** The file of a path that one of the two has made; `undefined` for any other path. */
export function madeFile(file: string): MadeFile | undefined {
  const accent = /^accent-([0-9a-f]{6})-[0-9a-f]{8}\.css$/.exec(file)?.[1]
  const letter = /^letter-([0-9a-f]{1,6})-([0-9a-f]{6})-([0-9a-f]{6})-[0-9a-f]{8}\.svg$/.exec(file)
  const made = accent === undefined ? letter && letterOf(letter) : accentStyles(`#${accent}`)
  return made?.path === `/assets/brand/${file}` ? made : undefined
}

function letterOf([, point = '', accent = '', onAccent = '']: RegExpExecArray): MadeFile | undefined {
  const code = Number.parseInt(point, 16)
  const letter = code <= 0x10ffff ? String.fromCodePoint(code) : ''
  return /^[\p{L}\p{N}•]$/u.test(letter) ? letterFile(letter, `#${accent}`, `#${onAccent}`) : undefined
}

function letterFile(letter: string, accent: string, onAccent: string): MadeFile {
  const body =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="${accent}"/>` +
    `<text x="16" y="22.5" text-anchor="middle" font-family="system-ui,sans-serif" font-size="19" font-weight="700" fill="${onAccent}">` +
    `${letter}</text></svg>`
  const point = letter.codePointAt(0)?.toString(16)
  const path = `/assets/brand/letter-${point}-${accent.slice(1)}-${onAccent.slice(1)}-${digestOf(body)}.svg` as const
  return { path, type: 'image/svg+xml', body }
}

function digestOf(body: string): string {
  return sha256Hex(body).slice(0, 8)
}

function groundRules(accent: string): string {
  return Object.entries(deriveDarkGrounds(accent))
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';')
}

function rules({ accent, accentDeep, onAccent, accentText, accentWash, glow }: Colours): string {
  return (
    `--accent:${accent};--accent-deep:${accentDeep};--on-accent:${onAccent};` +
    `--accent-text:${accentText};--accent-wash:${accentWash};--glow:${glow}`
  )
}
