import { html } from 'ghtml'
import { badge, layout, type PageContext, texts } from '../../pages/index.ts'

/** For a 400: an app began an invalid sign-in. `code` is the contract's message, for the app's developer. */
export function refusedStartPage(context: PageContext, { code }: { code: string }): string {
  const labels = texts[context.language].refusedStart
  const body = html`!${badge('alert')}<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
<p class="note">${labels.forDevelopers} <code>${code}</code></p>`
  return layout(context, { title: labels.title, body, problem: true })
}
