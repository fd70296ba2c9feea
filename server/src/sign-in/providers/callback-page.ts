import { html } from 'ghtml'
import { type Href, layout, type PageContext, texts } from '../../pages/index.ts'

/** Between a provider's answer by POST and the sign-in: it goes on by itself, or by its link. */
export function callbackPage(context: PageContext, { continueUrl }: { continueUrl: Href }): string {
  const { title, lead } = texts[context.language].callback
  const body = html`<h1>${title}</h1>
<p class="lead">${lead}</p>
<div class="actions"><a class="button" href="${continueUrl}">${texts[context.language].welcome.continue}</a></div>`
  return layout(context, { title, body })
}
