import { html } from 'ghtml'
import { badge, type Href, layout, ownHref, type PageContext, texts, userCard } from '../../pages/index.ts'

interface PlanMissingPage {
  productName: string
  signedInAs: { name: string; email: string }
  otherAccountUrl: Href
}

/** For a 403: a user is signed in, and the rule of an app behind a proxy asks for a plan that they do not have. */
export function planMissingPage(context: PageContext, { productName, signedInAs, otherAccountUrl }: PlanMissingPage): string {
  const labels = texts[context.language].planMissing
  const body = html`!${badge('alert')}<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
<p class="note">${labels.app} <strong>${productName}</strong></p>
!${userCard(signedInAs, texts[context.language].otherUser.signedInAs)}
<div class="actions"><a class="button" href="${ownHref('/account/purchases')}">${labels.purchases}</a>
<a class="button button-secondary" href="${otherAccountUrl}">${labels.otherAccount}</a></div>`
  return layout(context, { title: labels.title, body, problem: true })
}
