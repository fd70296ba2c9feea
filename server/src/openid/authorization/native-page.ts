import { html } from 'ghtml'
import { type Href, layout, ownHref, type PageContext, userCard } from '../../pages/index.ts'
import { openIdTexts } from '../texts.ts'

interface NativePage {
  appName: string
  user: { name: string; email: string }
  continueUrl: Href
  signInAgainUrl: Href
}

/** Asks before a program on this device is given tokens of the user who is signed in already. */
export function nativePage(context: PageContext, { appName, user, continueUrl, signInAgainUrl }: NativePage): string {
  const texts = openIdTexts[context.language]
  const title = texts.nativeTitle(appName)
  const body = html`<h1>${title}</h1>
<p class="lead">${texts.nativeLead(appName)}</p>
!${userCard(user, texts.nativeUser)}
<div class="actions"><a class="button" href="${continueUrl}">${texts.nativeContinue(user.name)}</a>
<a class="button button-secondary" href="${signInAgainUrl}">${texts.nativeOther}</a>
<a class="button button-secondary" href="${ownHref('/account')}">${texts.nativeStop}</a></div>`
  return layout(context, { title, body })
}
