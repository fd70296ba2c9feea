import { html } from 'ghtml'
import { alert, badge, facts, field, hidden, ownHref, type PageContext, texts, userCard } from '../../pages/index.ts'
import { accountLayout, foot, moment } from '../components.ts'

export type DeletionProblem = 'mismatch' | 'last_owner'

interface DeletionForm {
  email: string
  /** Purchases that may go on being charged, as plan and product. */
  goingOn: readonly string[]
  typed?: string | undefined
  problem?: DeletionProblem | undefined
}

/** Asking for one's own deletion: `email`, typed again, posted to `/account/delete`. */
export function deletionPage(context: PageContext, { email, goingOn, typed, problem }: DeletionForm): string {
  const { ownDelete: labels, fixFields } = texts[context.language]
  const error = problem === 'mismatch' ? labels.mismatch : undefined
  const body = html`<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
!${problem === 'last_owner' ? alert(labels.lastOwner, { advice: labels.lastOwnerAdvice }) : ''}
!${error ? alert(fixFields, { fields: [{ name: 'email', message: error }] }) : ''}
!${userCard({ email })}
!${goingOn.length > 0 ? facts({ id: 'going-on', heading: labels.goingOn, items: [...goingOn, labels.goingOnAdvice], icon: 'card' }) : ''}
!${facts({ id: 'consequences', heading: labels.consequences, items: [labels.now, labels.mail, labels.afterwards, labels.purchases], icon: 'info' })}
<form method="post" action="${ownHref('/account/delete')}" novalidate>
!${field({
    name: 'email',
    label: labels.typeAddress,
    type: 'email',
    value: typed,
    autocomplete: 'off',
    traits: 'inputmode="email" autocapitalize="none" spellcheck="false"',
    error,
  })}
<button class="button button-danger" type="submit">${labels.submit}</button>
</form>
!${foot(context)}`
  return accountLayout(context, { title: labels.title, body, problem: problem !== undefined })
}

/** The account is closed; until `dueAt` (ms) the mailed link opens it again. */
export function deletionRequestedPage(context: PageContext, { email, dueAt }: { email: string; dueAt: number }): string {
  const labels = texts[context.language].ownDelete
  const body = html`!${badge('door')}<h1>${labels.doneTitle}</h1>
<p class="lead">${labels.doneLead} !${moment(dueAt, context.language)}.</p>
<p class="note">${labels.doneMail} <strong>${email}</strong>.</p>
<p class="note">${texts[context.language].own.times}</p>`
  return accountLayout(context, { title: labels.doneTitle, body })
}

/** The page of the mailed link: a button that posts `ticket` to `/undo-deletion`. Opening it changes nothing. */
export function undoDeletionPage(context: PageContext, { ticket, email }: { ticket: string; email: string }): string {
  const labels = texts[context.language].undoDeletion
  const body = html`!${badge('shield')}<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
!${userCard({ email })}
<form method="post" action="${ownHref('/undo-deletion')}">
!${hidden('ticket', ticket)}
<button class="button" type="submit">${labels.submit}</button>
</form>
<p class="note">${labels.notYou}</p>`
  return accountLayout(context, { title: labels.title, body })
}

/** The account is open again. */
export function deletionUndonePage(context: PageContext, { email }: { email: string }): string {
  const labels = texts[context.language].undoDeletion
  const body = html`!${badge('check')}<h1>${labels.doneTitle}</h1>
<p class="lead">${labels.doneLead}</p>
!${userCard({ email })}
<div class="actions"><a class="button" href="${ownHref('/login')}">${labels.signIn}</a></div>`
  return accountLayout(context, { title: labels.doneTitle, body })
}
