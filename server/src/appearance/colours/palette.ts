import type { Colours, Palette } from '../../pages/index.ts'
import { contrast, type Oklch, toHex, toOklch } from './oklch.ts'

/** WCAG 2.2, 1.4.3: the least contrast of a text. */
export const LEAST_CONTRAST = 4.5

/** The grounds on which links stand, in the two schemes (`page.css`). */
export const GROUNDS = { light: ['#ffffff', '#f6f7f5', '#f5f6f4'], dark: ['#161d1a', '#101614', '#0d1210'] } as const

/** The dark grounds and the lines on them (`page.css`). */
const DARK_GROUNDS = { surface: GROUNDS.dark[0], sunken: GROUNDS.dark[1], ground: GROUNDS.dark[2], line: '#28322d' } as const
/** The colour of faults (`page.css`), and how near to it a hue is taken for it, in radians. */
const FAULT = '#b3261e'
const NEAR = 0.45

/** The contrast that an accent has where it has the least: as a link on the page, or under the button's white text. */
export function accentContrast(accent: string): number {
  return Math.min(...GROUNDS.light.map((ground) => contrast(accent, ground)), contrast(accent, '#ffffff'))
}

/** The accent itself where it can be read; else the nearest of its hue that can, with the ratio. */
export function judgeAccent(accent: string): { ratio: number } | { ratio: number; nearest: string } {
  const ratio = accentContrast(accent)
  if (ratio >= LEAST_CONTRAST) return { ratio }
  return { ratio, nearest: darkenUntil(toOklch(accent), (colour) => accentContrast(colour) >= LEAST_CONTRAST) }
}

/** All colours of an accent that `judgeAccent` takes. Each text has 4.5:1 on each ground that it stands on. */
export function derivePalette(accent: string): Palette {
  const base = toOklch(accent)
  return { light: lightColours(accent, base), dark: darkColours(base) }
}

/** The dark grounds in an accent's hue, each as light as the built-in one: beside another colour the green of those is seen. */
export function deriveDarkGrounds(accent: string): Record<keyof typeof DARK_GROUNDS, string> {
  const { c, h } = toOklch(accent)
  const inHue = (ground: string) => {
    const builtIn = toOklch(ground)
    return toHex({ l: builtIn.l, c: Math.min(builtIn.c, c), h })
  }
  const { surface, sunken, ground, line } = DARK_GROUNDS
  return { surface: inHue(surface), sunken: inHue(sunken), ground: inHue(ground), line: inHue(line) }
}

/** Whether an accent is as red as faults are: what has the focus is then marked in the colour of the text, or it would look wrong. */
export function looksLikeFault(accent: string): boolean {
  const [{ c, h }, fault] = [toOklch(accent), toOklch(FAULT)]
  return c > 0.05 && Math.abs(Math.sin((h - fault.h) / 2)) < Math.sin(NEAR / 2)
}

function lightColours(accent: string, base: Oklch): Colours {
  const accentWash = toHex({ l: 0.955, c: Math.min(base.c, 0.02), h: base.h })
  const glow = toHex({ l: 0.94, c: Math.min(base.c, 0.02), h: base.h })
  const isText = (colour: string) => [...GROUNDS.light, accentWash, glow].every((ground) => contrast(colour, ground) >= LEAST_CONTRAST)
  return {
    accent,
    accentDeep: toHex({ ...base, l: Math.max(0.12, base.l - 0.07) }),
    onAccent: '#ffffff',
    accentText: isText(accent) ? accent : darkenUntil(base, isText),
    accentWash,
    glow,
  }
}

/** The same hue as light on dark. A light accent may have more chroma than a dark one; a strong colour glares there. */
function darkColours({ c, h }: Oklch): Colours {
  const chroma = Math.min(c * 1.25, 0.13)
  const accentWash = toHex({ l: 0.29, c: Math.min(c, 0.035), h })
  const glow = toHex({ l: 0.24, c: Math.min(c, 0.025), h })
  return {
    accent: toHex({ l: 0.77, c: chroma, h }),
    accentDeep: toHex({ l: 0.82, c: chroma, h }),
    onAccent: toHex({ l: 0.24, c: Math.min(c, 0.05), h }),
    accentText: toHex({ l: 0.81, c: chroma, h }),
    accentWash,
    glow,
  }
}

/** The lightest colour of this hue that passes, to a thousandth. Black always does. */
function darkenUntil(colour: Oklch, passes: (hex: string) => boolean): string {
  let dark = 0
  let light = colour.l
  for (let step = 0; step < 12; step++) {
    const middle = (dark + light) / 2
    if (passes(toHex({ ...colour, l: middle }))) dark = middle
    else light = middle
  }
  return toHex({ ...colour, l: dark })
}
