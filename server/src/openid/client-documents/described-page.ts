import { html } from 'ghtml'
import { facts, type Href, layout, notice, ownHref, type PageContext, userCard } from '../../pages/index.ts'
import { openIdTexts } from '../texts.ts'
import { isLoopback } from './client-document.ts'

interface DescribedPage {
  address: URL
  /** The name that the client gives itself. */
  name: string | undefined
  /** The address to which the answer goes. */
  redirectUri: URL
  scopes: readonly string[]
  user: { name: string; email: string }
  continueUrl: Href
  signInAgainUrl: Href
}

/** Asks before a client that describes itself is given anything. Only its host is certain: its name may be that of another. */
export function describedPage(context: PageContext, page: DescribedPage): string {
  const { address, name, redirectUri, scopes, user, continueUrl, signInAgainUrl } = page
  const texts = openIdTexts[context.language]
  const title = texts.describedTitle(address.host)
  const seen = texts.describedScopes.filter(([scope]) => scopes.includes(scope))
  const body = html`<h1>${title}</h1>
<p class="lead">${texts.describedLead(address.host)}!${name === undefined ? '' : html` ${texts.describedName(name)}`}</p>
!${isLoopback(redirectUri) ? notice(texts.describedDevice, texts.describedDeviceAdvice(address.host)) : ''}
!${seen.length === 0 ? '' : facts({ id: 'receives', heading: texts.describedSees, items: seen.map(([, what]) => what) })}
!${userCard(user, texts.nativeUser)}
<div class="actions"><a class="button" href="${continueUrl}">${texts.describedAllow}</a>
<a class="button button-secondary" href="${signInAgainUrl}">${texts.nativeOther}</a>
<a class="button button-secondary" href="${ownHref('/account')}">${texts.nativeStop}</a></div>`
  return layout(context, { title, body })
}
