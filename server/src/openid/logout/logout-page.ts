import { html } from 'ghtml'
import { badge, type Href, layout, ownHref, type PageContext } from '../../pages/index.ts'
import { openIdTexts } from '../texts.ts'

/** Asks before a sign-out that an app has requested without showing that it knows the user. `appName`: where the app is known. */
export function logoutPage(context: PageContext, { confirmUrl, appName }: { confirmUrl: Href; appName: string | undefined }): string {
  const texts = openIdTexts[context.language]
  const body = html`!${badge('door')}<h1>${texts.logoutTitle}</h1>
<p class="lead">${appName === undefined ? texts.logoutLead : texts.logoutLeadOf(appName)}</p>
<div class="actions"><a class="button" href="${confirmUrl}">${texts.logout}</a>
<a class="button button-secondary" href="${ownHref('/account')}">${texts.stay}</a></div>`
  return layout(context, { title: texts.logoutTitle, body })
}
