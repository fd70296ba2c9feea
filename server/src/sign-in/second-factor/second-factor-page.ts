import { html } from 'ghtml'
import {
  alert,
  badge,
  elsewhere,
  field,
  type Href,
  hidden,
  layout,
  ownHref,
  type PageContext,
  texts,
  tooManyAttemptsAlert,
} from '../../pages/index.ts'

/** `email` is the user who has passed the first factor; `loginUrl` is where another user begins. */
interface SecondFactorPage {
  flow: string
  email: string
  loginUrl: Href
  problem?: 'wrong_code' | 'too_many_attempts' | undefined
  retryAfterSeconds?: number | undefined
}

/** The form for the app's code or a recovery code: `code` and the hidden `flow`, posted to `/second-factor`. One field takes both. */
export function secondFactorPage(context: PageContext, { flow, email, loginUrl, problem, retryAfterSeconds }: SecondFactorPage): string {
  const { secondFactor: labels } = texts[context.language]
  const error = problem === 'wrong_code' ? labels.wrongCodeAdvice : undefined
  const body = html`!${badge('shield')}<h1>${labels.title}</h1>
<p class="lead">${labels.lead} <strong>${email}</strong>.</p>
!${error ? alert(labels.wrongCode) : ''}
!${problem === 'too_many_attempts' ? tooManyAttemptsAlert(context.language, retryAfterSeconds) : ''}
<form method="post" action="${ownHref('/second-factor')}">
!${hidden('flow', flow)}
!${field({
    name: 'code',
    label: labels.code,
    autocomplete: 'one-time-code',
    traits: 'inputmode="text" maxlength="30" spellcheck="false" autocapitalize="none"',
    look: 'long-code',
    hint: labels.hint,
    error,
    focus: true,
  })}
<button class="button" type="submit">${labels.submit}</button>
</form>
<ul class="tips"><li>${labels.recoveryToo}</li><li>${labels.lostAll}</li></ul>
!${elsewhere(labels.otherAccount, { label: labels.signInAgain, href: loginUrl })}`
  return layout(context, { title: labels.title, body, problem: problem !== undefined })
}
