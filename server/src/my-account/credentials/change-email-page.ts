import { html } from 'ghtml'
import { alert, badge, field, hidden, layout, ownHref, type PageContext, texts, userCard } from '../../pages/index.ts'
import { errorAlert } from './change-password-page.ts'

/** `current` is the account's address, `email` the typed new one. */
interface ChangeEmailPage {
  current: string
  email?: string | undefined
  emailError?: 'required' | 'invalid' | undefined
  problem?: 'too_many_attempts' | undefined
  retryAfterSeconds?: number | undefined
}

/** Changing one's address: `email`, posted to `/account/email`. */
export function changeEmailPage(context: PageContext, change: ChangeEmailPage): string {
  const { current, email, emailError, problem } = change
  const all = texts[context.language]
  const words = all.changeEmail
  const error = emailError && all.emailErrors[emailError]
  const body = html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
!${error ? alert(all.fixFields, { fields: [{ name: 'email', message: error }] }) : errorAlert(context, change)}
!${userCard({ email: current }, words.current)}
<form method="post" action="${ownHref('/account/email')}" novalidate>
!${field({
    name: 'email',
    label: words.email,
    type: 'email',
    value: email,
    autocomplete: 'email',
    traits: 'inputmode="email" autocapitalize="none" spellcheck="false"',
    error,
    focus: true,
  })}
<div class="actions"><button class="button" type="submit">${words.submit}</button>
<a class="button button-secondary" href="${ownHref('/account')}">${all.backToAccount}</a></div>
</form>`
  return layout(context, { title: words.title, body, problem: emailError !== undefined || problem !== undefined })
}

/** After the form: nothing changes until the new mailbox has confirmed. */
export function emailChangeSentPage(context: PageContext, { email }: { email: string }): string {
  const { changeEmail: words, checkMail, backToAccount } = texts[context.language]
  const body = html`!${badge('mail')}<h1>${words.sentTitle}</h1>
<p class="lead">${words.sentLead} <strong>${email}</strong>${words.sentLeadEnd}</p>
<ul class="tips"><li>${words.untilThen}</li><li>${checkMail.lookInSpam}</li></ul>
<div class="actions"><a class="button button-secondary" href="${ownHref('/account')}">${backToAccount}</a></div>`
  return layout(context, { title: words.sentTitle, body })
}

/** The page of the mailed link: a button that posts `ticket` to `/confirm-email`. */
export function confirmEmailPage(context: PageContext, { ticket, email }: { ticket: string; email: string }): string {
  const { changeEmail: words } = texts[context.language]
  const body = html`<h1>${words.confirmTitle}</h1>
<p class="lead">${words.confirmLead}</p>
!${userCard({ email })}
<form method="post" action="${ownHref('/confirm-email')}">
!${hidden('ticket', ticket)}
<button class="button" type="submit">${words.confirm}</button>
</form>
<p class="note">${words.notYou}</p>`
  return layout(context, { title: words.confirmTitle, body })
}

/** The address has changed. */
export function emailChangedPage(context: PageContext, { email }: { email: string }): string {
  const { changeEmail: words, backToAccount } = texts[context.language]
  const body = html`!${badge('check')}<h1>${words.doneTitle}</h1>
<p class="lead">${words.doneLead}</p>
!${userCard({ email })}
<div class="actions"><a class="button" href="${ownHref('/account')}">${backToAccount}</a></div>`
  return layout(context, { title: words.doneTitle, body })
}
