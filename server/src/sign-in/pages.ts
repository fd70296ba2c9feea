import { html } from 'ghtml'
import { type Href, layout, ownHref, type PageContext } from '../pages/index.ts'
import { badge, person } from './parts-of-page.ts'
import { texts } from './texts.ts'

export { accountPage } from './account-page.ts'
export { actingRefusedPage } from './acting-refused-page.ts'
export { changeEmailPage, confirmEmailPage, emailChangedPage, emailChangeSentPage } from './change-email-page.ts'
export { changePasswordPage } from './change-password-page.ts'
export { checkMailPage } from './check-mail-page.ts'
export { type DeletionProblem, deletionPage, deletionRequestedPage, deletionUndonePage, undoDeletionPage } from './deletion-page.ts'
export { type LoginProblem, loginPage } from './login-page.ts'
export { ndaPage } from './nda-page.ts'
export { newPasswordPage } from './new-password-page.ts'
export { notMeDonePage, notMePage } from './not-me-page.ts'
export { ownConsentsPage } from './own-consents-page.ts'
export { ownPurchasesPage } from './own-purchases-page.ts'
export { ownSessionsPage } from './own-sessions-page.ts'
export { ownDataPage, ownLanguagePage, ownProvidersPage } from './own-settings-page.ts'
export { type PasskeyProblem, passkeyPage, passkeysPage } from './passkeys-page.ts'
export { profilePage } from './profile-page.ts'
export { recoverPage, recoverySentPage } from './recover-page.ts'
export { secondFactorPage } from './second-factor-page.ts'
export { signUpPage } from './sign-up-page.ts'
export { ticketGonePage } from './ticket-gone-page.ts'
export { recoveryCodesPage, twoFactorPage } from './two-factor-page.ts'
export { verifyPage } from './verify-page.ts'

export { welcomePage } from './welcome-page.ts'

/** `expected` is who began this sign-in, as far as it is known. */
interface OtherPersonPage {
  signedInAs: { name: string; email: string }
  expected?: { name?: string; email?: string } | undefined
  continueUrl: Href
  signInAgainUrl: Href
}

/** Someone else has signed in since, in this browser: asks with which account to go on. */
export function otherPersonPage(context: PageContext, { signedInAs, expected, continueUrl, signInAgainUrl }: OtherPersonPage): string {
  const words = texts[context.language].otherPerson
  const other = expected?.name || expected?.email
  const body = html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
!${person(signedInAs, words.signedInAs)}
!${expected && other ? person(expected, words.expected) : ''}
<div class="actions"><a class="button" href="${continueUrl}">${words.continueAs(signedInAs.name)}</a>
<a class="button button-secondary" href="${signInAgainUrl}">${other ? words.signInAgainAs(other) : words.signInAgain}</a></div>`
  return layout(context, { title: words.title, body })
}

/** The end of a visit. `returnUrl` is where the person may go back to, already checked against the registered origins. */
export function signedOutPage(context: PageContext, { returnUrl }: { returnUrl?: Href | undefined }): string {
  const words = texts[context.language].signedOut
  const back = returnUrl && URL.canParse(returnUrl) ? new URL(returnUrl) : undefined
  const body = html`!${badge('door')}<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<div class="actions">!${back ? html`<a class="button" href="${returnUrl}">${words.back(back.host)}</a>` : ''}
<a class="button button-secondary" href="${ownHref('/login')}">${words.signInAgain}</a></div>`
  return layout(context, { title: words.title, body })
}

/** For a 400: the sign-in has expired or was started in another browser. */
export function badFlowPage(context: PageContext): string {
  const words = texts[context.language].badFlow
  const body = html`!${badge('clock')}<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<div class="actions"><a class="button" href="${ownHref('/login')}">${words.signIn}</a></div>`
  return layout(context, { title: words.title, body, problem: true })
}

/** For a 400: an app began a sign-in that may not be. `code` is the contract's message, of use to whoever builds the app. */
export function refusedStartPage(context: PageContext, { code }: { code: string }): string {
  const words = texts[context.language].refusedStart
  const body = html`!${badge('alert')}<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<p class="note">${words.forDevelopers} <code>${code}</code></p>`
  return layout(context, { title: words.title, body, problem: true })
}
