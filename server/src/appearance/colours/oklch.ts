/** A colour as lightness (0 to 1), chroma and hue (radians): equal steps look equal. Björn Ottosson's OKLab, in polar form. */
export interface Oklch {
  l: number
  c: number
  h: number
}

type Rgb = readonly [red: number, green: number, blue: number]

/** `#rrggbb` as linear light, 0 to 1. */
function toLinear(hex: string): Rgb {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

/** WCAG 2.2: relative luminance. */
function luminance(hex: string): number {
  const [red, green, blue] = toLinear(hex)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG 2.2: the contrast of two colours, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

export function toOklch(hex: string): Oklch {
  const [red, green, blue] = toLinear(hex)
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return { l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, c: Math.hypot(a, b), h: Math.atan2(b, a) }
}

/** The colour as `#rrggbb`; one that no screen shows loses chroma until it can be shown. */
export function toHex({ l, c, h }: Oklch): string {
  let least = 0
  let most = c
  if (isShown(linearOf({ l, c, h }))) least = c
  else
    for (let step = 0; step < 20; step++) {
      const middle = (least + most) / 2
      if (isShown(linearOf({ l, c: middle, h }))) least = middle
      else most = middle
    }
  return `#${linearOf({ l, c: least, h })
    .map((light) => encode(light).toString(16).padStart(2, '0'))
    .join('')}`
}

function linearOf({ l, c, h }: Oklch): Rgb {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)]
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ]
}

function isShown(rgb: Rgb): boolean {
  return rgb.every((light) => light > -0.0005 && light < 1.0005)
}

function encode(light: number): number {
  const value = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055
  return Math.round(Math.min(1, Math.max(0, value)) * 255)
}
