import { html } from 'ghtml'
import { badge, type Href, layout, ownHref, type PageContext, texts, userCard } from '../../pages/index.ts'

/** `expected` is the user who began this sign-in, if known. */
interface OtherUserPage {
  signedInAs: { name: string; email: string }
  expected?: { name?: string; email?: string } | undefined
  continueUrl: Href
  signInAgainUrl: Href
}

/** Another user has signed in in this browser since: asks which account continues. */
export function otherUserPage(context: PageContext, { signedInAs, expected, continueUrl, signInAgainUrl }: OtherUserPage): string {
  const labels = texts[context.language].otherUser
  const other = expected?.name || expected?.email
  const body = html`<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
!${userCard(signedInAs, labels.signedInAs)}
!${expected && other ? userCard(expected, labels.expected) : ''}
<div class="actions"><a class="button" href="${continueUrl}">${labels.continueAs(signedInAs.name)}</a>
<a class="button button-secondary" href="${signInAgainUrl}">${other ? labels.signInAgainAs(other) : labels.signInAgain}</a></div>`
  return layout(context, { title: labels.title, body })
}

/** For a 400: the sign-in has expired or was started in another browser. */
export function badFlowPage(context: PageContext): string {
  const labels = texts[context.language].badFlow
  const body = html`!${badge('clock')}<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
<div class="actions"><a class="button" href="${ownHref('/login')}">${labels.signIn}</a></div>`
  return layout(context, { title: labels.title, body, problem: true })
}
