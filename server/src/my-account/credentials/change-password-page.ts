import { html } from 'ghtml'
import {
  accountOfPassword,
  alert,
  badge,
  busyAlert,
  newPasswordField,
  ownHref,
  type PageContext,
  passwordMeter,
  texts,
  tooManyAttemptsAlert,
} from '../../pages/index.ts'
import type { SignUpError } from '../../users/index.ts'
import { accountLayout } from '../components.ts'

/** Why a change was refused, and the wait if it was a limit. */
interface CredentialError {
  problem?: 'too_many_attempts' | 'busy' | undefined
  retryAfterSeconds?: number | undefined
}

/**
 * `hasPassword` is false for a user who has only signed in by a provider so far. `passwordError` concerns the new password, `problem` the
 * moment.
 */
interface ChangePasswordPage {
  email: string
  hasPassword: boolean
  problem?: 'busy' | undefined
  passwordError?: SignUpError | undefined
  done?: boolean | undefined
}

/** Changing one's password, or choosing a first one: `password`, posted to `/account/password`. */
export function changePasswordPage(context: PageContext, change: ChangePasswordPage): string {
  const { email, hasPassword, problem, passwordError, done } = change
  if (done) return donePage(context, change)
  const all = texts[context.language]
  const labels = all.changePassword[hasPassword ? 'other' : 'first']
  const weak = passwordError && all.password.errors[passwordError]
  const body = html`<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
!${weak ? alert(all.fixFields, { fields: [{ name: 'password', message: weak }] }) : errorAlert(context, change)}
<form method="post" action="${ownHref('/account/password')}" novalidate>
!${accountOfPassword(email)}
!${newPasswordField(all, { label: all.newPassword.label, error: weak, focus: true })}
<div class="actions"><button class="button" type="submit">${labels.submit}</button>
<a class="button button-secondary" href="${ownHref('/account')}">${all.backToAccount}</a></div>
</form>`
  const wrong = problem !== undefined || passwordError !== undefined
  return accountLayout(context, { title: labels.title, body, problem: wrong, script: ownHref(passwordMeter.path) })
}

function donePage(context: PageContext, { hasPassword }: ChangePasswordPage): string {
  const { changePassword, backToAccount } = texts[context.language]
  const labels = changePassword[hasPassword ? 'other' : 'first']
  const body = html`!${badge('check')}<h1>${labels.doneTitle}</h1>
<p class="lead">${labels.doneLead}</p>
<div class="actions"><a class="button" href="${ownHref('/account')}">${backToAccount}</a></div>`
  return accountLayout(context, { title: labels.doneTitle, body })
}

/** The box that says why the change was refused. */
export function errorAlert({ language }: PageContext, { problem, retryAfterSeconds }: CredentialError): string {
  switch (problem) {
    case 'too_many_attempts':
      return tooManyAttemptsAlert(language, retryAfterSeconds)
    case 'busy':
      return busyAlert(language)
    case undefined:
      return ''
  }
}
