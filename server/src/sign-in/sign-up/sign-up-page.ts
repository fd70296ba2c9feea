import { html } from 'ghtml'
import {
  alert,
  busyAlert,
  elsewhere,
  hidden,
  layout,
  ownHref,
  type PageContext,
  passwordMeter,
  texts,
  tooManyRequestsAlert,
} from '../../pages/index.ts'
import type { SignUpErrors } from '../../users/index.ts'
import { newUserFields } from './new-user-fields.ts'

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
!${consent(context)}<button class="button" type="submit">${labels.submit}</button>
</form>
!${elsewhere(labels.haveAccount, { label: all.login.submit, href: ownHref('/login', { flow: signUp.flow }) })}`
  const problem = wrong.length > 0 || signUp.problem !== undefined
  return layout(context, { title: labels.title, body, problem, script: ownHref(passwordMeter.path) })
}

/** The sentence about the operator's terms, where they have any. */
function consent({ language, look }: PageContext): string {
  if (!look?.terms) return ''
  const { before, terms, and, privacy, after } = texts[language].signUp.consent
  const second = look.privacy ? html`${and}<a href="${look.privacy}">${privacy}</a>` : ''
  return html`<p class="hint">${before}<a href="${look.terms}">${terms}</a>!${second}${after}</p>
`
}

function problemAlert({ language }: PageContext, { problem, retryAfterSeconds }: SignUpPage): string {
  switch (problem) {
    case 'busy':
      return busyAlert(language)
    case 'too_many_attempts':
      return tooManyRequestsAlert(language, retryAfterSeconds)
    case undefined:
      return ''
  }
}
