import { html } from 'ghtml'
import { badge, facts, hidden, layout, ownHref, type PageContext, texts, userCard } from '../../pages/index.ts'

/**
 * The page of a mail's "this was not me" link: explains what will happen, and posts `ticket` to `/report-sign-in`. Opening it changes
 * nothing.
 */
export function reportSignInPage(context: PageContext, { ticket, email }: { ticket: string; email: string }): string {
  const labels = texts[context.language].reportSignIn
  const body = html`!${badge('shield')}<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
!${userCard({ email })}
!${facts({ id: 'consequences', heading: labels.consequences, items: [labels.signsOut, labels.voidsPassword, labels.sendsMail] })}
<form method="post" action="${ownHref('/report-sign-in')}">
!${hidden('ticket', ticket)}
<button class="button" type="submit">${labels.submit}</button>
</form>
<p class="note">${labels.wasYou}</p>`
  return layout(context, { title: labels.title, body })
}

/** The account is safe, and its owner gets a mail. */
export function signInReportedPage(context: PageContext, { email }: { email: string }): string {
  const { reportSignIn: labels, checkMail } = texts[context.language]
  const body = html`!${badge('check')}<h1>${labels.doneTitle}</h1>
<p class="lead">${labels.doneLead} <strong>${email}</strong>${labels.doneLeadEnd}</p>
<ul class="tips"><li>${checkMail.lookInSpam}</li><li>${labels.samePassword}</li></ul>`
  return layout(context, { title: labels.doneTitle, body })
}
