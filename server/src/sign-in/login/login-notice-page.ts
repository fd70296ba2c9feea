import { alert, busyAlert, notice, type PageContext, texts, tooManyAttemptsAlert } from '../../pages/index.ts'
import type { LoginNotice } from '../flow/flow.ts'
import type { LoginPage } from './login-form.ts'

/** Canceling is the user's choice, and proving an account is the next step: they are notices, not errors. */
const NOTICES: readonly LoginNotice['kind'][] = [
  'provider_denied',
  'link_with_password',
  'authenticate_again',
  'authenticate_with_passkey',
  'confirm_email',
]

export function isFailure(notice: LoginNotice | undefined): boolean {
  return notice !== undefined && !NOTICES.includes(notice.kind)
}

export function noticeBox({ language }: PageContext, shown: LoginNotice | undefined): string {
  if (!shown) return ''
  const { title, advice } = texts[language].login.notices[shown.kind]
  return isFailure(shown)
    ? alert(title(shown.provider), { advice: advice(shown.provider) })
    : notice(title(shown.provider), advice(shown.provider))
}

export function fieldErrors({ language }: PageContext, { problem, email }: LoginPage): { email?: string; password?: string } {
  const labels = texts[language].login
  if (problem === 'wrong_credentials') return { email: labels.checkEmail, password: labels.checkPassword }
  if (problem !== 'missing_fields') return {}
  return email ? { password: labels.passwordMissing } : { email: labels.emailMissing, password: labels.passwordMissing }
}

export function problemAlert({ language }: PageContext, login: LoginPage, errors: { email?: string; password?: string }): string {
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
