import { html } from 'ghtml'
import { elsewhere, field, hidden, layout, nameOf, ownHref, type PageContext, passkeyScript, texts } from '../../pages/index.ts'
import type { LoginPage } from './login-form.ts'
import { fieldErrors, isFailure, noticeBox, problemAlert } from './login-notice-page.ts'
import { otherWays } from './other-ways-page.ts'

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
