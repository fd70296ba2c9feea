import type { XmlElement } from './element.ts'

/** Writes an element as XML. */
export function writeXml({ name, attributes, children }: XmlElement): string {
  const given = [...attributes].map(([key, value]) => ` ${key}="${escaped(value).replaceAll('"', '&quot;')}"`).join('')
  if (children.length === 0) return `<${name}${given}/>`
  return `<${name}${given}>${children.map((child) => (typeof child === 'string' ? escaped(child) : writeXml(child))).join('')}</${name}>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
