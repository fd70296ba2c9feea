import { html } from 'ghtml'
import {
  alert,
  badge,
  elsewhere,
  field,
  type Href,
  hidden,
  layout,
  notice,
  ownHref,
  type PageContext,
  texts,
  tooManyRequestsAlert,
} from '../../pages/index.ts'

/** `email` as it was typed. */
interface RecoverPage {
  flow: string
  email?: string | undefined
  problem?: 'email_missing' | 'email_invalid' | 'too_many_attempts' | undefined
  retryAfterSeconds?: number | undefined
}

/** For a forgotten password: `email` and the hidden `flow`, posted to `/recover`. */
export function recoverPage(context: PageContext, recover: RecoverPage): string {
  const { recover: labels, login, emailErrors } = texts[context.language]
  const { problem } = recover
  const error = problem === 'email_missing' ? emailErrors.required : problem === 'email_invalid' ? emailErrors.invalid : undefined
  const body = html`<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
!${problemAlert(context, recover, error)}
<form method="post" action="${ownHref('/recover')}" novalidate>
!${hidden('flow', recover.flow)}
!${field({
    name: 'email',
    label: login.email,
    type: 'email',
    value: recover.email,
    autocomplete: 'username',
    traits: 'inputmode="email" autocapitalize="none" spellcheck="false"',
    error,
    focus: true,
  })}
<button class="button" type="submit">${labels.submit}</button>
</form>
!${elsewhere(labels.remembered, { label: login.submit, href: ownHref('/login', { flow: recover.flow }) })}`
  return layout(context, { title: labels.title, body, problem: problem !== undefined })
}

function problemAlert({ language }: PageContext, { problem, retryAfterSeconds }: RecoverPage, error: string | undefined): string {
  if (error) return alert(texts[language].fixFields, { fields: [{ name: 'email', message: error }] })
  return problem === undefined ? '' : tooManyRequestsAlert(language, retryAfterSeconds)
}

/** After the form, the same for every address: it never reveals whether there is an account. */
export function recoverySentPage(
  context: PageContext,
  { email, signInUrl, mailFolder }: { email: string; signInUrl: Href; mailFolder?: string | undefined },
): string {
  const { recoverySent: labels, checkMail } = texts[context.language]
  const body = html`!${badge('mail')}<h1>${checkMail.title}</h1>
<p class="lead">${labels.lead} <strong>${email}</strong>${labels.leadEnd}</p>
!${mailFolder === undefined ? '' : notice(checkMail.asFile, checkMail.asFileAdvice(mailFolder))}
<ul class="tips"><li>${checkMail.lookInSpam}</li><li>${labels.otherAddress}</li></ul>
<div class="actions"><a class="button button-secondary" href="${signInUrl}">${labels.back}</a></div>`
  return layout(context, { title: checkMail.title, body })
}
