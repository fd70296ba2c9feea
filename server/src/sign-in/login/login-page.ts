import { html } from 'ghtml'
import {
  alert,
  busyAlert,
  elsewhere,
  field,
  type Href,
  hidden,
  icon,
  layout,
  nameOf,
  notice,
  ownHref,
  type PageContext,
  type ProviderMark,
  passkeyScript,
  providerMark,
  type Texts,
  texts,
  tooManyAttemptsAlert,
} from '../../pages/index.ts'
import type { LoginNotice } from '../flow/flow.ts'

export type LoginProblem = 'wrong_credentials' | 'too_many_attempts' | 'busy' | 'missing_fields' | 'deletion_pending' | 'wrong_passkey'

/**
 * `productName` is absent for a sign-in to Portaria itself. `email` is what was typed; a password never comes back. `notice` is the outcome
 * at a provider before. `providers` are the other sign-in methods, by the names of their buttons.
 */
interface LoginPage {
  flow: string
  productName?: string | undefined
  email?: string | undefined
  problem?: LoginProblem | undefined
  retryAfterSeconds?: number | undefined
  notice?: LoginNotice | undefined
  providers: { name: string; mark?: ProviderMark | undefined; href: Href }[]
  /** Absent for a signed-in user who authenticates again. */
  signUpUrl: Href | undefined
  recoverUrl: Href
}

/**
 * The sign-in form: `email`, `password` and the hidden `flow`, posted to `/login`; `credential` and `flow`, posted to `/passkeys/sign-in`.
 */
export function loginPage(context: PageContext, login: LoginPage): string {
  const labels = texts[context.language].login
  const title = login.productName ? labels.titleFor(login.productName) : labels.title
  const errors = fieldErrors(context, login)
  const body = html`<h1>${title}</h1>
<p class="lead">${login.productName ? labels.leadFor(nameOf(context)) : labels.lead}</p>
!${login.problem ? problemAlert(context, login, errors) : ''}!${noticeBox(context, login.notice)}
<form method="post" action="${ownHref('/login')}">
!${hidden('flow', login.flow)}
!${field({
    name: 'email',
    label: labels.email,
    type: 'email',
    value: login.email,
    autocomplete: 'username webauthn',
    traits: 'inputmode="email" autocapitalize="none" spellcheck="false"',
    error: errors.email,
    focus: !login.email,
  })}
!${field({
    name: 'password',
    label: labels.password,
    type: 'password',
    autocomplete: 'current-password',
    error: errors.password,
    focus: Boolean(login.email),
    original: { label: labels.forgotten, href: login.recoverUrl },
  })}
<button class="button" type="submit">${labels.submit}</button>
</form>
!${otherWays(context, login)}
!${login.signUpUrl === undefined ? '' : elsewhere(labels.noAccount, { label: labels.signUp, href: login.signUpUrl })}`
  return layout(context, {
    title,
    body,
    problem: login.problem !== undefined || isFailure(login.notice),
    script: ownHref(passkeyScript.path),
  })
}

/** Passkeys come first. A browser without them shows nothing of this. */
function otherWays({ language }: PageContext, { providers, flow }: LoginPage): string {
  const { login: labels, passkeySignIn } = texts[language]
  const or = html`<div class="or"><span>${labels.or}</span></div>`
  const buttons = providers.map((provider) => providerButton(labels, provider))
  return html`!${buttons.length > 0 ? or : ''}
<div class="providers"><div data-passkey="get" data-cancelled="${passkeySignIn.cancelled}" data-failed="${passkeySignIn.failed}" hidden>
!${buttons.length > 0 ? '' : or}
<form method="post" action="${ownHref('/passkeys/sign-in')}" data-options="${ownHref('/passkeys/sign-in/options')}">
!${hidden('flow', flow)}!${hidden('credential', '')}
<button class="button button-secondary provider" type="submit">!${icon('key')}<span>${passkeySignIn.submit}</span></button>
<p class="hint" role="status"></p>
</form></div>
!${buttons}</div>`
}

/** The mark of a company that is known, else the first letter of the name. */
function providerButton(labels: Texts['login'], { name, mark, href }: LoginPage['providers'][number]): string {
  const shown = mark === undefined ? html`<span class="letter" aria-hidden="true">${firstCharacter(name)}</span>` : providerMark(mark)
  return html`<a class="button button-secondary provider" href="${href}">!${shown}<span>${labels.signInWith(name)}</span></a>`
}

function firstCharacter(name: string): string {
  return ([...name.trim()][0] ?? '').toUpperCase()
}

/** Canceling is the user's choice, and proving an account is the next step: they are notices, not errors. */
const NOTICES: readonly LoginNotice['kind'][] = [
  'provider_denied',
  'link_with_password',
  'authenticate_again',
  'authenticate_with_passkey',
  'confirm_email',
]

function isFailure(notice: LoginNotice | undefined): boolean {
  return notice !== undefined && !NOTICES.includes(notice.kind)
}

function noticeBox({ language }: PageContext, shown: LoginNotice | undefined): string {
  if (!shown) return ''
  const { title, advice } = texts[language].login.notices[shown.kind]
  return isFailure(shown)
    ? alert(title(shown.provider), { advice: advice(shown.provider) })
    : notice(title(shown.provider), advice(shown.provider))
}

function fieldErrors({ language }: PageContext, { problem, email }: LoginPage): { email?: string; password?: string } {
  const labels = texts[language].login
  if (problem === 'wrong_credentials') return { email: labels.checkEmail, password: labels.checkPassword }
  if (problem !== 'missing_fields') return {}
  return email ? { password: labels.passwordMissing } : { email: labels.emailMissing, password: labels.passwordMissing }
}

function problemAlert({ language }: PageContext, login: LoginPage, errors: { email?: string; password?: string }): string {
  const { login: labels, passkeySignIn, fixFields } = texts[language]
  const fields = Object.entries(errors).map(([name, message]) => ({ name, message }))
  switch (login.problem) {
    case 'wrong_credentials':
      return alert(labels.wrongCredentials, { advice: labels.wrongCredentialsAdvice })
    case 'too_many_attempts':
      return tooManyAttemptsAlert(language, login.retryAfterSeconds)
    case 'wrong_passkey':
      return alert(passkeySignIn.refused, { advice: passkeySignIn.refusedAdvice })
    case 'deletion_pending':
      return alert(labels.notices.deletion_pending.title(), { advice: labels.notices.deletion_pending.advice() })
    case 'busy':
      return busyAlert(language)
    case 'missing_fields':
      return alert(fixFields, { fields })
    case undefined:
      return ''
  }
}
