import { html } from 'ghtml'
import { alert, badge, field, hidden, ownHref, type PageContext, texts, userCard } from '../../pages/index.ts'
import { accountLayout } from '../components.ts'
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
  const labels = all.changeEmail
  const error = emailError && all.emailErrors[emailError]
  const body = html`<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
!${error ? alert(all.fixFields, { fields: [{ name: 'email', message: error }] }) : errorAlert(context, change)}
!${userCard({ email: current }, labels.current)}
<form method="post" action="${ownHref('/account/email')}" novalidate>
!${field({
    name: 'email',
    label: labels.email,
    type: 'email',
    value: email,
    autocomplete: 'email',
    traits: 'inputmode="email" autocapitalize="none" spellcheck="false"',
    error,
    focus: true,
  })}
<div class="actions"><button class="button" type="submit">${labels.submit}</button>
<a class="button button-secondary" href="${ownHref('/account')}">${all.backToAccount}</a></div>
</form>`
  return accountLayout(context, { title: labels.title, body, problem: emailError !== undefined || problem !== undefined })
}

/** After the form: nothing changes until the new mailbox has confirmed. */
export function emailChangeSentPage(context: PageContext, { email }: { email: string }): string {
  const { changeEmail: labels, checkMail, backToAccount } = texts[context.language]
  const body = html`!${badge('mail')}<h1>${labels.sentTitle}</h1>
<p class="lead">${labels.sentLead} <strong>${email}</strong>${labels.sentLeadEnd}</p>
<ul class="tips"><li>${labels.untilThen}</li><li>${checkMail.lookInSpam}</li></ul>
<div class="actions"><a class="button button-secondary" href="${ownHref('/account')}">${backToAccount}</a></div>`
  return accountLayout(context, { title: labels.sentTitle, body })
}

/** The page of the mailed link: a button that posts `ticket` to `/confirm-email`. */
export function confirmEmailPage(context: PageContext, { ticket, email }: { ticket: string; email: string }): string {
  const { changeEmail: labels } = texts[context.language]
  const body = html`<h1>${labels.confirmTitle}</h1>
<p class="lead">${labels.confirmLead}</p>
!${userCard({ email })}
<form method="post" action="${ownHref('/confirm-email')}">
!${hidden('ticket', ticket)}
<button class="button" type="submit">${labels.confirm}</button>
</form>
<p class="note">${labels.notYou}</p>`
  return accountLayout(context, { title: labels.confirmTitle, body })
}

/** The address has changed. */
export function emailChangedPage(context: PageContext, { email }: { email: string }): string {
  const { changeEmail: labels, backToAccount } = texts[context.language]
  const body = html`!${badge('check')}<h1>${labels.doneTitle}</h1>
<p class="lead">${labels.doneLead}</p>
!${userCard({ email })}
<div class="actions"><a class="button" href="${ownHref('/account')}">${backToAccount}</a></div>`
  return accountLayout(context, { title: labels.doneTitle, body })
}
