import { SVG_PAINTS } from './svg-parts.ts'
import type { XmlElement } from './xml/element.ts'

/** More shapes than any logo has. */
const MAX_WEIGHT = 20_000

/**
 * Whether a drawing draws more shapes than it may, each counted as often as it is referred to: a file of a kilobyte could otherwise draw
 * millions, or never end. A stylesheet may refer to gradients alone, since it could concern any number of elements.
 */
export function drawsTooMuch(root: XmlElement): boolean {
  // Of two elements with one id browsers draw the first.
  const byId = new Map(
    all(root)
      .toReversed()
      .map((element) => [element.attributes.get('id') ?? '', element]),
  )
  const weights = new Map<XmlElement, number>()
  const isPaint = (id: string) => SVG_PAINTS.has(byId.get(id)?.name ?? 'linearGradient')
  const sheets = all(root).filter(({ name }) => name === 'style')
  if (sheets.some(({ children }) => idsIn(children.join('')).some((id) => !isPaint(id)))) return true
  const weigh = (element: XmlElement): number => {
    const known = weights.get(element)
    if (known !== undefined) return known
    weights.set(element, Number.POSITIVE_INFINITY) // until it is known: a circle never ends
    const inner = element.children.map((child) => (typeof child === 'string' ? 0 : weigh(child)))
    const referred = refersTo(element).map((id) => {
      const target = byId.get(id)
      return target && !isPaint(id) ? weigh(target) : 0
    })
    const weight = [...inner, ...referred].reduce((sum, one) => sum + one, 1)
    weights.set(element, weight)
    return weight
  }
  return !(weigh(root) <= MAX_WEIGHT)
}

function all(element: XmlElement): XmlElement[] {
  return [element, ...element.children.flatMap((child) => (typeof child === 'string' ? [] : all(child)))]
}

function refersTo({ name, attributes }: XmlElement): string[] {
  return [...attributes].flatMap(([key, value]) => (key === 'href' && !SVG_PAINTS.has(name) ? [value.slice(1)] : idsIn(value)))
}

function idsIn(text: string): string[] {
  return [...text.matchAll(/url\(\s*["']?\s*#([\w.-]+)/gi)].map(([, id = '']) => id)
}
