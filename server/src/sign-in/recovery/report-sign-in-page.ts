import { html } from 'ghtml'
import { badge, facts, hidden, layout, ownHref, type PageContext, texts, userCard } from '../../pages/index.ts'

/**
 * The page of a mail's "this was not me" link: explains what will happen, and posts `ticket` to `/report-sign-in`. Opening it changes
 * nothing.
 */
export function reportSignInPage(context: PageContext, { ticket, email }: { ticket: string; email: string }): string {
  const words = texts[context.language].reportSignIn
  const body = html`!${badge('shield')}<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
!${userCard({ email })}
!${facts({ id: 'consequences', heading: words.consequences, items: [words.signsOut, words.voidsPassword, words.sendsMail] })}
<form method="post" action="${ownHref('/report-sign-in')}">
!${hidden('ticket', ticket)}
<button class="button" type="submit">${words.submit}</button>
</form>
<p class="note">${words.wasYou}</p>`
  return layout(context, { title: words.title, body })
}

/** The account is safe, and its owner gets a mail. */
export function signInReportedPage(context: PageContext, { email }: { email: string }): string {
  const { reportSignIn: words, checkMail } = texts[context.language]
  const body = html`!${badge('check')}<h1>${words.doneTitle}</h1>
<p class="lead">${words.doneLead} <strong>${email}</strong>${words.doneLeadEnd}</p>
<ul class="tips"><li>${checkMail.lookInSpam}</li><li>${words.samePassword}</li></ul>`
  return layout(context, { title: words.doneTitle, body })
}
