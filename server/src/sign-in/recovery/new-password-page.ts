import { html } from 'ghtml'
import {
  accountOfPassword,
  alert,
  field,
  hidden,
  inMinutes,
  layout,
  ownHref,
  type PageContext,
  passwordMeter,
  type Texts,
  texts,
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
!${problem === 'busy' ? alert(all.login.busy, { advice: all.login.busyAdvice }) : ''}
!${problem === 'too_many_attempts' ? alert(all.tooManyRequests, { advice: all.tooManyRequestsAdvice(inMinutes(retryAfterSeconds, context.language)) }) : ''}
!${error ? alert(all.fixFields, { fields: [{ name: 'password', message: error }] }) : ''}
!${userCard({ email })}
<form method="post" action="${ownHref(action)}" novalidate>
!${hidden('ticket', ticket)}!${accountOfPassword(email)}
!${newPasswordField(all, { label: all.newPassword.label, error, focus: true })}
<button class="button" type="submit">${labels.submit}</button>
</form>`
  return layout(context, { title: labels.title, body, problem: problem !== undefined, script: ownHref(passwordMeter.path) })
}

/** The field for a new password, with the strength that its page's script shows. Without the script there is the field alone. */
export function newPasswordField(
  { password: labels }: Texts,
  { label, error, focus }: { label: string; error: string | undefined; focus: boolean },
): string {
  const { levels, tooShort, common, personal } = labels.meter
  const input = field({ name: 'password', label, type: 'password', autocomplete: 'new-password', hint: labels.hint, error, focus })
  const bars = levels.map(() => '<span></span>')
  return html`<div class="new-password">!${input}
<div class="meter" hidden data-levels="${levels.join('|')}" data-short="${tooShort}" data-common="${common}" data-personal="${personal}">
<div class="meter-bar" aria-hidden="true">!${bars}</div><p class="hint" role="status"></p></div></div>`
}
