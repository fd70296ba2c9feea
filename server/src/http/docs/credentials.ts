import { html } from 'ghtml'
import type { SecurityScheme } from './api-description.ts'
import { prose, type Shown } from './shown.ts'

export function credentials({ labels, description }: Shown): string {
  const items = Object.entries(description.components.securitySchemes).map(
    ([id, scheme]) => html`<dt id="credential-${id}">!${credential(scheme)}</dt><dd lang="en">!${prose(scheme.description)}</dd>`,
  )
  return html`<section aria-labelledby="credentials"><h2 id="credentials">${labels.credentials}</h2><dl class="terms-list">!${items}</dl></section>`
}

export function credential({ type, name, bearerFormat }: SecurityScheme): string {
  return type === 'apiKey' ? html`<code>Cookie: ${name}</code>` : html`<code>Authorization: Bearer ${bearerFormat}</code>`
}
