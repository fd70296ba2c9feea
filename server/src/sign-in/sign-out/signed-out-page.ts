import { html } from 'ghtml'
import { badge, type Href, layout, ownHref, type PageContext, texts } from '../../pages/index.ts'

/** The end of a sign-out. `returnUrl` is where the user may go back to, already checked against the registered origins. */
export function signedOutPage(context: PageContext, { returnUrl }: { returnUrl?: Href | undefined }): string {
  const words = texts[context.language].signedOut
  const back = returnUrl && URL.canParse(returnUrl) ? new URL(returnUrl) : undefined
  const body = html`!${badge('door')}<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<div class="actions">!${back ? html`<a class="button" href="${returnUrl}">${words.back(back.host)}</a>` : ''}
<a class="button button-secondary" href="${ownHref('/login')}">${words.signInAgain}</a></div>`
  return layout(context, { title: words.title, body })
}
