import { html } from 'ghtml'
import { badge, type Href, layout, ownHref, type PageContext, texts } from '../../pages/index.ts'

/** The end of a sign-out. `returnUrl` is where the user may go back to, already checked against the registered origins. */
export function signedOutPage(context: PageContext, { returnUrl }: { returnUrl?: Href | undefined }): string {
  const labels = texts[context.language].signedOut
  const back = returnUrl && URL.canParse(returnUrl) ? new URL(returnUrl) : undefined
  const body = html`!${badge('door')}<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
<div class="actions">!${back ? html`<a class="button" href="${returnUrl}">${labels.back(back.host)}</a>` : ''}
<a class="button button-secondary" href="${ownHref('/login')}">${labels.signInAgain}</a></div>`
  return layout(context, { title: labels.title, body })
}
