import { html } from 'ghtml'
import {
  alert,
  elsewhere,
  field,
  hidden,
  inMinutes,
  layout,
  ownHref,
  type PageContext,
  passwordMeter,
  type Texts,
  texts,
} from '../../pages/index.ts'
import type { SignUpErrors } from '../../users/index.ts'
import { newPasswordField } from '../recovery/new-password-page.ts'

/** `values` as they were typed; a password never comes back. */
interface SignUpPage {
  flow: string
  /** Absent at Portaria itself. */
  productName?: string | undefined
  values: { name?: string | undefined; email?: string | undefined }
  errors: SignUpErrors
  problem?: 'busy' | 'too_many_attempts' | undefined
  retryAfterSeconds?: number | undefined
}

/** The sign-up form: `name`, `email`, `password` and the hidden `flow`, posted to `/sign-up`. It looks the same for every address. */
export function signUpPage(context: PageContext, signUp: SignUpPage): string {
  const all = texts[context.language]
  const labels = all.signUp
  const { wrong, fields } = newUserFields(context, signUp)
  const body = html`<h1>${labels.title}</h1>
<p class="lead">${signUp.productName === undefined ? labels.lead : labels.leadFor(signUp.productName)}</p>
!${wrong.length > 0 ? alert(all.fixFields, { fields: wrong }) : problemAlert(context, signUp)}
<form method="post" action="${ownHref('/sign-up')}" novalidate>
!${hidden('flow', signUp.flow)}
!${fields}
<button class="button" type="submit">${labels.submit}</button>
</form>
!${elsewhere(labels.haveAccount, { label: all.login.submit, href: ownHref('/login', { flow: signUp.flow }) })}`
  const problem = wrong.length > 0 || signUp.problem !== undefined
  return layout(context, { title: labels.title, body, problem, script: ownHref(passwordMeter.path) })
}

/** The fields of a new user, `name`, `email` and `password`, and their errors in that order. */
export function newUserFields(
  { language }: PageContext,
  { values, errors: found }: Pick<SignUpPage, 'values' | 'errors'>,
): { fields: string; wrong: Array<{ name: string; message: string }> } {
  const all = texts[language]
  const errors = messagesOf(all, found)
  const wrong = Object.entries(errors).flatMap(([name, message]) => (message === undefined ? [] : [{ name, message }]))
  const first = wrong[0]?.name ?? 'name'
  const fields = html`!${field({
    name: 'name',
    label: all.signUp.name,
    value: values.name,
    autocomplete: 'name',
    traits: 'autocapitalize="words" spellcheck="false"',
    error: errors.name,
    focus: first === 'name',
  })}
!${field({
    name: 'email',
    label: all.login.email,
    type: 'email',
    value: values.email,
    autocomplete: 'username',
    traits: 'inputmode="email" autocapitalize="none" spellcheck="false"',
    error: errors.email,
    focus: first === 'email',
  })}
!${newPasswordField(all, { label: all.login.password, error: errors.password, focus: first === 'password' })}`
  return { fields, wrong }
}

/** In the order of the fields. */
function messagesOf({ signUp: labels, password, emailErrors }: Texts, { name, email, password: weak }: SignUpErrors) {
  return {
    name: name && (name === 'required' || name === 'too_long' ? labels.nameErrors[name] : labels.nameErrors.invalid),
    email: email && (email === 'required' ? emailErrors.required : emailErrors.invalid),
    password: weak && password.errors[weak],
  }
}

function problemAlert({ language }: PageContext, { problem, retryAfterSeconds }: SignUpPage): string {
  const { login, tooManyRequests, tooManyRequestsAdvice } = texts[language]
  switch (problem) {
    case 'busy':
      return alert(login.busy, { advice: login.busyAdvice })
    case 'too_many_attempts':
      return alert(tooManyRequests, { advice: tooManyRequestsAdvice(inMinutes(retryAfterSeconds, language)) })
    case undefined:
      return ''
  }
}
