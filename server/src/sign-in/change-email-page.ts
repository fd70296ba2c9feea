import { html } from 'ghtml'
import { layout, ownHref, type PageContext } from '../http/index.ts'
import { currentPasswordField, noPassword, type ProofProblem, proofAlert } from './change-password-page.ts'
import { accountOfPassword, alert, badge, field, hidden, person } from './parts-of-page.ts'
import { texts } from './texts.ts'

/** `current` is the account's address, `email` what was typed as the new one. */
interface ChangeEmailPage {
  current: string
  email?: string | undefined
  emailError?: 'required' | 'invalid' | undefined
  problem?: ProofProblem | undefined
}

/** Changing one's address: `email` and `current_password`, posted to `/account/email`. */
export function changeEmailPage(context: PageContext, { current, email, emailError, problem }: ChangeEmailPage): string {
  const all = texts[context.language]
  const words = all.changeEmail
  const error = emailError && all.emailErrors[emailError]
  const body = html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
!${error ? alert(all.fixFields, { fields: [{ name: 'email', message: error }] }) : proofAlert(all, problem)}
!${person({ email: current }, words.current)}
<form method="post" action="${ownHref('/account/email')}" novalidate>
!${field({
    name: 'email',
    label: words.email,
    type: 'email',
    value: email,
    autocomplete: 'email',
    traits: 'inputmode="email" autocapitalize="none" spellcheck="false"',
    error,
    focus: problem === undefined,
  })}
!${accountOfPassword(current)}
!${currentPasswordField(all, { problem, focus: problem !== undefined })}
<div class="actions"><button class="button" type="submit">${words.submit}</button>
<a class="button button-secondary" href="${ownHref('/account')}">${all.backToAccount}</a></div>
</form>
!${noPassword(all)}`
  return layout(context, { title: words.title, body, problem: emailError !== undefined || problem !== undefined })
}

/** After the form: nothing changes until the new mailbox has spoken. */
export function emailChangeSentPage(context: PageContext, { email }: { email: string }): string {
  const { changeEmail: words, checkMail, backToAccount } = texts[context.language]
  const body = html`!${badge('mail')}<h1>${words.sentTitle}</h1>
<p class="lead">${words.sentLead} <strong>${email}</strong>${words.sentLeadEnd}</p>
<ul class="tips"><li>${words.untilThen}</li><li>${checkMail.lookInSpam}</li></ul>
<div class="actions"><a class="button button-secondary" href="${ownHref('/account')}">${backToAccount}</a></div>`
  return layout(context, { title: words.sentTitle, body })
}

/** Where the mailed link leads: a button that posts `ticket` to `/confirm-email`; and, `done`, that the address has changed. */
export function confirmEmailPage(context: PageContext, { ticket, email, done }: { ticket: string; email: string; done: boolean }): string {
  const { changeEmail: words, backToAccount } = texts[context.language]
  const title = done ? words.doneTitle : words.confirmTitle
  const form = html`<form method="post" action="${ownHref('/confirm-email')}">
!${hidden('ticket', ticket)}
<button class="button" type="submit">${words.confirm}</button>
</form>
<p class="note">${words.notYou}</p>`
  const goOn = html`<div class="actions"><a class="button" href="${ownHref('/account')}">${backToAccount}</a></div>`
  const body = html`!${done ? badge('check') : ''}<h1>${title}</h1>
<p class="lead">${done ? words.doneLead : words.confirmLead}</p>
!${person({ email })}
!${done ? goOn : form}`
  return layout(context, { title, body })
}
