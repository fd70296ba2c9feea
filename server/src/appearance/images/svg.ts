import { SVG_ATTRIBUTES, SVG_ELEMENTS, SVG_LEFT_OUT } from './svg-parts.ts'
import { drawsTooMuch } from './svg-weight.ts'
import type { XmlElement } from './xml/element.ts'
import { parseXml } from './xml/parse-xml.ts'
import { writeXml } from './xml/write-xml.ts'

/** Why an SVG is not taken. `what` names the element or attribute. */
export interface SvgRefusal {
  refusal: 'svg_damaged' | 'svg_element' | 'svg_handler' | 'svg_address' | 'svg_style' | 'svg_size' | 'svg_too_much'
  what?: string
}

export interface Svg {
  /** Written anew: it holds what is on the lists and nothing else. */
  text: string
  width: number
  height: number
}

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg'
const MAX_SIDE = 100_000
const PLAIN_ID = /^[\w.-]+$/

class Refused extends Error {
  readonly refusal: SvgRefusal
  constructor(refusal: SvgRefusal) {
    super(refusal.refusal)
    this.refusal = refusal
  }
}

/** Reads a drawing and writes it anew, from lists of what a drawing may have. Everything that could act or fetch refuses it. Pure. */
export function cleanSvg(text: string): Svg | SvgRefusal {
  const root = parseXml(text)
  if (root?.name !== 'svg' || (root.attributes.get('xmlns') ?? SVG_NAMESPACE) !== SVG_NAMESPACE) return { refusal: 'svg_damaged' }
  try {
    const cleaned = cleanElement(root)
    if (drawsTooMuch(cleaned)) return { refusal: 'svg_too_much' }
    const { width, height } = sizeOf(root)
    const { viewBox = `0 0 ${width} ${height}`, ...attributes } = Object.fromEntries(cleaned.attributes)
    const { width: _width, height: _height, ...rest } = attributes
    const written = { ...cleaned, attributes: new Map(Object.entries({ xmlns: SVG_NAMESPACE, viewBox, ...rest })) }
    return { text: writeXml(written), width, height }
  } catch (error) {
    if (error instanceof Refused) return error.refusal
    throw error
  }
}

function cleanElement({ name, attributes, children }: XmlElement): XmlElement {
  if (!SVG_ELEMENTS.has(name)) throw new Refused({ refusal: 'svg_element', what: name })
  const kept = new Map<string, string>()
  for (const [key, value] of attributes) {
    if (/^on/i.test(key)) throw new Refused({ refusal: 'svg_handler', what: key })
    // A reference names nothing else, and a browser would find an id with blanks by a reference that reads otherwise here.
    if (key === 'id' && !PLAIN_ID.test(value)) continue
    if (key === 'href' || key === 'xlink:href') kept.set('href', checkAddress(value))
    else if (SVG_ATTRIBUTES.has(key)) kept.set(key, checkValue(value, key))
  }
  return { name, attributes: kept, children: children.flatMap((child) => cleanChild(child, name)) }
}

function cleanChild(child: XmlElement | string, parent: string): Array<XmlElement | string> {
  if (typeof child === 'string') return parent === 'style' ? [checkSheet(child)] : keepText(child, parent)
  const isEditors = child.name.includes(':') && !/^(svg|xhtml|html):/i.test(child.name)
  if (isEditors || SVG_LEFT_OUT.has(child.name)) return []
  return [cleanElement(child)]
}

/** Text draws in these alone; elsewhere it is the space between elements. */
function keepText(text: string, parent: string): string[] {
  return /^(text|tspan|title|desc)$/.test(parent) ? [text] : []
}

/** A reference to a part of the file itself. */
function checkAddress(value: string): string {
  const address = value.trim()
  if (!/^#[\w.-]+$/.test(address)) throw new Refused({ refusal: 'svg_address', what: 'href' })
  return address
}

/** No value leads out of the file. An escape could spell `url` in a way that only a browser reads. */
function checkValue(value: string, what: string): string {
  const text = value.toLowerCase().replace(/[\s"']/g, '')
  if (/\\|\/\*|@|expression\(|image\(|image-set\(|src\(|-moz-|behavior|javascript:/.test(text))
    throw new Refused({ refusal: 'svg_style', what })
  for (const [, target = ''] of text.matchAll(/url\(([^)]*)/g))
    if (!/^#[\w.-]+$/.test(target)) throw new Refused({ refusal: 'svg_address', what })
  return value
}

/** A stylesheet of the drawing: rules and `@media` alone. */
function checkSheet(sheet: string): string {
  const plain = withoutComments(sheet)
  if (/[<>]/.test(plain)) throw new Refused({ refusal: 'svg_style', what: 'style' })
  checkValue(plain.replace(/@media\b/gi, ''), 'style')
  return plain
}

/** A regular expression would begin anew at each comment that never ends: its time would grow with the square of the length. */
function withoutComments(sheet: string): string {
  const parts: string[] = []
  let at = 0
  for (let open = sheet.indexOf('/*'); open >= 0; open = sheet.indexOf('/*', at)) {
    const close = sheet.indexOf('*/', open + 2)
    if (close < 0) break
    parts.push(sheet.slice(at, open))
    at = close + 2
  }
  return [...parts, sheet.slice(at)].join(' ')
}

/** The size of the drawing in its own units, for its proportions. */
function sizeOf({ attributes }: XmlElement): { width: number; height: number } {
  const box = attributes
    .get('viewBox')
    ?.trim()
    .split(/[\s,]+/)
    .map(Number)
  const [width = Number.NaN, height = Number.NaN] =
    box?.length === 4 ? box.slice(2) : [attributes.get('width'), attributes.get('height')].map((side) => Number(side?.replace(/px$/, '')))
  if (!(width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE)) throw new Refused({ refusal: 'svg_size' })
  return { width, height }
}
