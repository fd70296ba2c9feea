import { html } from 'ghtml'
import { badge, layout, type PageContext, texts } from '../../pages/index.ts'

/** For a 400: an app began an invalid sign-in. `code` is the contract's message, for the app's developer. */
export function refusedStartPage(context: PageContext, { code }: { code: string }): string {
  const words = texts[context.language].refusedStart
  const body = html`!${badge('alert')}<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<p class="note">${words.forDevelopers} <code>${code}</code></p>`
  return layout(context, { title: words.title, body, problem: true })
}
