import { html } from 'ghtml'
import { badge, layout, ownHref, type PageContext, texts } from '../../pages/index.ts'

/** For a 403: an administrator may not do this as somebody else. The banner above it has the way out. */
export function impersonationRefusedPage(context: PageContext): string {
  const { impersonationRefused: labels } = texts[context.language]
  const body = html`!${badge('shield')}<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
<p class="note">${labels.may}</p>
<div class="actions"><a class="button button-secondary" href="${ownHref('/account')}">${labels.back}</a></div>`
  return layout(context, { title: labels.title, body, problem: true })
}
