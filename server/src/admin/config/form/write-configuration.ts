import { Document, isMap, isScalar, isSeq, visit, type YAMLMap } from 'yaml'
import type { Configuration } from './configuration.ts'

/** Words that stand beside each other on one line. Addresses have lines of their own, so that a change is one line. */
const SHORT = /^[\w:*.-]{1,40}$/

/** The file of these settings, always the same bytes for the same settings. `heading`: lines of comment above it. */
export function writeConfiguration(configuration: Configuration, heading: readonly string[]): string {
  const document = new Document(configuration)
  document.commentBefore = heading.map((line) => ` ${line}`).join('\n')
  visit(document, {
    Seq(_key, node) {
      node.flow = node.items.every((item) => isScalar(item) && SHORT.test(String(item.value)))
    },
    Map(_key, node) {
      node.flow = node.items.length === 0 || isPlace(node)
    },
  })
  for (const top of isMap(document.contents) ? document.contents.items.slice(1) : []) {
    if (isMap(top.value) || isSeq(top.value)) (top.key as { spaceBefore?: boolean }).spaceBefore = true
  }
  return document.toString({ lineWidth: 0 })
}

/** `{env: NAME}` and its like. */
function isPlace({ items }: YAMLMap): boolean {
  const [only] = items
  return items.length === 1 && isScalar(only?.key) && (only.key.value === 'env' || only.key.value === 'file')
}
