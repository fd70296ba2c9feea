import { html } from 'ghtml'
import { alert, badge, field, hidden, ownHref, type PageContext, texts, userCard } from '../../pages/index.ts'
import { accountLayout, unverifiedNotice } from '../components.ts'
import { errorAlert } from './change-password-page.ts'

/** `current` is the account's address, `email` the typed new one. `same`: it is the account's, which is verified. */
interface ChangeEmailPage {
  current: string
  isVerified: boolean
  email?: string | undefined
  emailError?: 'required' | 'invalid' | 'same' | undefined
  problem?: 'too_many_attempts' | undefined
  retryAfterSeconds?: number | undefined
}

/** Changing one's address: `email`, posted to `/account/email`. */
export function changeEmailPage(context: PageContext, change: ChangeEmailPage): string {
  const { current, isVerified, email, emailError, problem } = change
  const all = texts[context.language]
  const labels = all.changeEmail
  const error = emailError && (emailError === 'same' ? labels.same : all.emailErrors[emailError])
  const body = html`<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
!${error ? alert(all.fixFields, { fields: [{ name: 'email', message: error }] }) : errorAlert(context, change)}
!${userCard({ email: current }, labels.current)}!${isVerified ? '' : unverifiedNotice(context)}
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

/** The address that a mailbox confirms: a new one, or the account's own (`isOwn`), which has never been verified. */
interface ConfirmedAddress {
  email: string
  isOwn: boolean
}

function labelsOf(context: PageContext, { isOwn }: ConfirmedAddress) {
  const { changeEmail, ownEmail } = texts[context.language]
  return isOwn ? { ...changeEmail, ...ownEmail } : changeEmail
}

/** After the form: nothing changes until the mailbox has confirmed. */
export function emailChangeSentPage(context: PageContext, address: ConfirmedAddress): string {
  const { checkMail, backToAccount } = texts[context.language]
  const labels = labelsOf(context, address)
  const body = html`!${badge('mail')}<h1>${labels.sentTitle}</h1>
<p class="lead">${labels.sentLead} <strong>${address.email}</strong>${labels.sentLeadEnd}</p>
<ul class="tips"><li>${labels.untilThen}</li><li>${checkMail.lookInSpam}</li></ul>
<div class="actions"><a class="button button-secondary" href="${ownHref('/account')}">${backToAccount}</a></div>`
  return accountLayout(context, { title: labels.sentTitle, body })
}

/** The page of the mailed link: a button that posts `ticket` to `/confirm-email`. */
export function confirmEmailPage(context: PageContext, address: ConfirmedAddress & { ticket: string }): string {
  const { ticket, email } = address
  const labels = labelsOf(context, address)
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

/** The address has changed, or the account's own one is verified. */
export function emailChangedPage(context: PageContext, address: ConfirmedAddress): string {
  const { backToAccount } = texts[context.language]
  const labels = labelsOf(context, address)
  const body = html`!${badge('check')}<h1>${labels.doneTitle}</h1>
<p class="lead">${labels.doneLead}</p>
!${userCard({ email: address.email })}
<div class="actions"><a class="button" href="${ownHref('/account')}">${backToAccount}</a></div>`
  return accountLayout(context, { title: labels.doneTitle, body })
}
