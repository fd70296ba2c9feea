import { html } from 'ghtml'
import {
  accountOfPassword,
  alert,
  busyAlert,
  hidden,
  layout,
  newPasswordField,
  ownHref,
  type PageContext,
  passwordMeter,
  texts,
  tooManyRequestsAlert,
  userCard,
} from '../../pages/index.ts'
import type { SignUpError } from '../../users/index.ts'

/** `action` is the page's own address; `email` is the account's. */
interface NewPasswordPage {
  action: `/${string}`
  ticket: string
  email: string
  purpose: 'reset_password' | 'invitation'
  problem?: SignUpError | 'busy' | 'too_many_attempts' | undefined
  retryAfterSeconds?: number | undefined
}

/** The page of a mailed link that sets a password: `password` and the hidden `ticket`. */
export function newPasswordPage(
  context: PageContext,
  { action, ticket, email, purpose, problem, retryAfterSeconds }: NewPasswordPage,
): string {
  const all = texts[context.language]
  const labels = all.newPassword[purpose]
  const isOfField = problem !== undefined && problem !== 'busy' && problem !== 'too_many_attempts'
  const error = isOfField ? all.password.errors[problem] : undefined
  const body = html`<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
!${problem === 'busy' ? busyAlert(context.language) : ''}
!${problem === 'too_many_attempts' ? tooManyRequestsAlert(context.language, retryAfterSeconds) : ''}
!${error ? alert(all.fixFields, { fields: [{ name: 'password', message: error }] }) : ''}
!${userCard({ email })}
<form method="post" action="${ownHref(action)}" novalidate>
!${hidden('ticket', ticket)}!${accountOfPassword(email)}
!${newPasswordField(all, { label: all.newPassword.label, error, focus: true })}
<button class="button" type="submit">${labels.submit}</button>
</form>`
  return layout(context, { title: labels.title, body, problem: problem !== undefined, script: ownHref(passwordMeter.path) })
}
