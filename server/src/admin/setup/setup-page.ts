import { html } from 'ghtml'
import {
  accountOfPassword,
  alert,
  badge,
  busyAlert,
  elsewhere,
  field,
  hidden,
  layout,
  ownHref,
  type PageContext,
  passwordMeter,
  texts,
  tooManyRequestsAlert,
  userCard,
} from '../../pages/index.ts'
import { newUserFields } from '../../sign-in/index.ts'
import type { SignUpErrors } from '../../users/index.ts'
import { setupTexts } from './setup-texts.ts'

export type SetupProblem = 'busy' | 'too_many_attempts' | 'account_changed'

/** `values` as typed; a password never comes back. `token` is the secret of the address. */
interface SetupPage {
  token: string
  values: { name?: string; email?: string }
  errors: SignUpErrors
  problem?: SetupProblem | undefined
  retryAfterSeconds?: number | undefined
}

/** The form of the first account: `name`, `email`, `password` and the hidden `token`, posted to `/setup`. */
export function setupPage(context: PageContext, setup: SetupPage): string {
  const labels = setupTexts[context.language].setup
  const { wrong, fields } = newUserFields(context, setup)
  const body = html`<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
!${wrong.length > 0 ? alert(texts[context.language].fixFields, { fields: wrong }) : problemAlert(context, setup)}
<form method="post" action="${ownHref('/setup')}" novalidate>
!${hidden('token', setup.token)}
!${fields}
<button class="button" type="submit">${labels.submit}</button>
</form>
<p class="note">${labels.once}</p>`
  const problem = wrong.length > 0 || setup.problem !== undefined
  return layout(context, { title: labels.title, body, problem, script: ownHref(passwordMeter.path) })
}

/** `problem` is absent if the user did not know of the account: the typed password was meant to be a new one. */
interface KnownAccountPage {
  token: string
  email: string
  problem?: 'wrong_password' | 'too_many_attempts' | 'busy' | undefined
  retryAfterSeconds?: number | undefined
}

/** The address has an account: its `password`, with the hidden `token` and `email`, posted to `/setup` too. */
export function knownAccountPage(context: PageContext, known: KnownAccountPage): string {
  const { token, email, problem } = known
  const all = texts[context.language]
  const labels = setupTexts[context.language].known
  const error = problem === 'wrong_password' ? all.wrongPassword : undefined
  const body = html`<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
!${problemAlert(context, known)}
!${userCard({ email })}
<form method="post" action="${ownHref('/setup')}" novalidate>
!${hidden('token', token)}!${hidden('email', email)}!${hidden('account', 'known')}!${accountOfPassword(email)}
!${field({ name: 'password', label: labels.password, type: 'password', autocomplete: 'current-password', error, focus: true })}
<button class="button" type="submit">${labels.submit}</button>
</form>
<p class="note">${labels.noPassword} <code>npx portaria user set ${email} --role owner</code></p>
!${elsewhere(labels.other, { label: labels.otherEmail, href: ownHref('/setup', { token }) })}`
  return layout(context, { title: labels.title, body, problem: problem !== undefined })
}

/** For an address that was used, is too old, was voided or never existed: says what to do. */
export function setupGonePage(context: PageContext): string {
  const labels = setupTexts[context.language].gone
  const body = html`!${badge('clock')}<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
<section class="facts" aria-labelledby="another"><h2 id="another">${labels.another}</h2>
<code class="secret">npx portaria setup-link</code></section>
!${elsewhere(labels.already, { label: labels.signIn, href: ownHref('/admin/sign-in') })}`
  return layout(context, { title: labels.title, body, problem: true })
}

function problemAlert(
  { language }: PageContext,
  { problem, retryAfterSeconds }: Pick<SetupPage | KnownAccountPage, 'problem' | 'retryAfterSeconds'>,
): string {
  const { login, wrongPassword } = texts[language]
  const { setup } = setupTexts[language]
  switch (problem) {
    case 'busy':
      return busyAlert(language)
    case 'too_many_attempts':
      return tooManyRequestsAlert(language, retryAfterSeconds)
    case 'account_changed':
      return alert(setup.changed, { advice: setup.changedAdvice })
    case 'wrong_password':
      return alert(wrongPassword, { advice: login.checkPassword })
    case undefined:
      return ''
  }
}
