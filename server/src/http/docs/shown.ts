import { html } from 'ghtml'
import type { ApiDescription, Operation } from './api-description.ts'
import type { DocsTexts } from './docs-texts.ts'

export interface Shown {
  labels: DocsTexts
  description: ApiDescription
}

export interface NamedOperation {
  method: string
  path: string
  operation: Operation
}

/** Text with code in `…`. */
export function prose(text: string): string {
  return text
    .split('`')
    .map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
    .join('')
}
