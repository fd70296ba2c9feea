import { html } from 'ghtml'
import { alert, badge, elsewhere, field, type Href, hidden, layout, notice, ownHref, type PageContext, texts } from '../../pages/index.ts'

/** `email` is the mail's destination; `signUpUrl` is where to begin again. `code_expired`: expired, used, or mistyped too often. */
interface CheckMailPage {
  flow: string
  email: string
  problem?: 'wrong_code' | 'code_expired' | undefined
  signUpUrl: Href
  /** The path of the mail's file, for a developer on this machine. */
  mailFolder?: string | undefined
}

/**
 * The form for the mailed code: `code` and the hidden `flow`, posted to `/check-mail`. It is the same for an address with an account and
 * one without.
 */
export function checkMailPage(context: PageContext, checked: CheckMailPage): string {
  const labels = texts[context.language].checkMail
  return checked.problem === 'code_expired'
    ? codeExpired(context, checked)
    : codeForm(context, checked, checked.problem && labels.wrongCodeAdvice)
}

function codeForm(context: PageContext, { flow, email, signUpUrl, mailFolder }: CheckMailPage, error: string | undefined): string {
  const labels = texts[context.language].checkMail
  const body = html`!${badge('mail')}<h1>${labels.title}</h1>
<p class="lead">${labels.lead} <strong>${email}</strong>. ${labels.leadCode}</p>
!${mailFolder === undefined ? '' : notice(labels.asFile, labels.asFileAdvice(mailFolder))}!${error ? alert(labels.wrongCode) : ''}
<form method="post" action="${ownHref('/check-mail')}">
!${hidden('flow', flow)}
!${field({
    name: 'code',
    label: labels.code,
    autocomplete: 'one-time-code',
    traits: 'inputmode="numeric" pattern="[0-9 ]{6,9}" maxlength="9" spellcheck="false"',
    look: 'code',
    error,
    focus: true,
  })}
<button class="button" type="submit">${labels.submit}</button>
</form>
<ul class="tips"><li>${labels.linkToo}</li><li>${labels.lookInSpam}</li><li>${labels.haveAccount}</li></ul>
!${elsewhere(labels.wrongAddress, { label: labels.beginAgain, href: signUpUrl })}`
  return layout(context, { title: labels.title, body, problem: error !== undefined })
}

function codeExpired(context: PageContext, { flow, signUpUrl }: CheckMailPage): string {
  const { checkMail: labels, login } = texts[context.language]
  const body = html`!${badge('clock')}<h1>${labels.codeExpired}</h1>
<p class="lead">${labels.codeGoneAdvice}</p>
<div class="actions"><a class="button" href="${signUpUrl}">${labels.beginAgain}</a></div>
!${elsewhere(labels.confirmedAlready, { label: login.submit, href: ownHref('/login', { flow }) })}`
  return layout(context, { title: labels.codeExpired, body, problem: true })
}
