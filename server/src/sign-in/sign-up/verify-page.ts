import { html } from 'ghtml'
import {
  accountOfPassword,
  alert,
  badge,
  busyAlert,
  field,
  hidden,
  layout,
  ownHref,
  type PageContext,
  texts,
  userCard,
} from '../../pages/index.ts'

/**
 * `asksPassword`: opened in another browser than the sign-up's, so the password chosen there is asked. `canPassword` is false after a
 * sign-up through a provider, where no password was chosen.
 */
interface VerifyPage {
  ticket: string
  email: string
  asksPassword: boolean
  canPassword: boolean
  problem?: 'wrong_password' | 'too_many_attempts' | 'busy' | undefined
}

/**
 * The page of the sign-up mail's link: a button that posts `ticket` (and `password`) to `/verify`. Opening the page does not use the link
 * up.
 */
export function verifyPage(context: PageContext, verify: VerifyPage): string {
  const { verify: labels } = texts[context.language]
  if (verify.asksPassword && !verify.canPassword) return elsewherePage(context, verify)
  const body = html`<h1>${labels.title}</h1>
<p class="lead">${verify.asksPassword ? labels.leadPassword : labels.lead}</p>
!${problemAlert(context, verify)}
!${userCard({ email: verify.email })}
<form method="post" action="${ownHref('/verify')}">
!${hidden('ticket', verify.ticket)}
!${verify.asksPassword ? passwordField(context, verify) : ''}
<button class="button" type="submit">${labels.submit}</button>
</form>
<p class="note">${labels.notYou}</p>`
  return layout(context, { title: labels.title, body, problem: verify.problem !== undefined })
}

function passwordField({ language }: PageContext, { email, problem }: VerifyPage): string {
  const { verify: labels } = texts[language]
  const error = problem === 'wrong_password' ? labels.wrongPasswordAdvice : undefined
  const input = field({ name: 'password', label: labels.password, type: 'password', autocomplete: 'current-password', error, focus: true })
  return `${accountOfPassword(email)}${input}`
}

function problemAlert({ language }: PageContext, { problem }: VerifyPage): string {
  const { verify: labels, login, wrongPassword } = texts[language]
  switch (problem) {
    case 'busy':
      return busyAlert(language)
    case 'wrong_password':
      return alert(wrongPassword)
    case 'too_many_attempts':
      return alert(login.tooManyAttempts, { advice: labels.tooManyAttemptsAdvice })
    case undefined:
      return ''
  }
}

function elsewherePage(context: PageContext, { email }: VerifyPage): string {
  const labels = texts[context.language].verify
  const body = html`!${badge('mail')}<h1>${labels.elsewhereTitle}</h1>
<p class="lead">${labels.elsewhereLead}</p>
!${userCard({ email })}
<p class="note">${labels.notYou}</p>`
  return layout(context, { title: labels.elsewhereTitle, body })
}
