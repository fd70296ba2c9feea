import { html } from 'ghtml'
import { badge, type Href, icon, layout, type PageContext, type Texts, texts } from '../../pages/index.ts'

/**
 * `name` is the user's; `refreshes` says that the answer carries `Refresh: 4`. `sharing` is set at the first sharing with an external
 * product, which waits for a click: the scopes it will receive, its host, and the target of "cancel".
 */
interface WelcomePage {
  name: string
  productName?: string | undefined
  continueUrl: Href
  refreshes: boolean
  sharing?: { scopes: string[]; host: string; cancelUrl: Href } | undefined
}

/** The splash after a sign-in. It continues by its link, and by itself where the route says so. */
export function welcomePage(context: PageContext, welcome: WelcomePage): string {
  const labels = texts[context.language].welcome
  const { title, body } = welcome.sharing ? firstSignIn(labels, welcome, welcome.sharing) : greeting(labels, welcome)
  return layout(context, { title, body })
}

function greeting(labels: Texts['welcome'], { name, productName, continueUrl, refreshes }: WelcomePage) {
  const title = labels.title(firstName(name))
  const body = html`!${badge('check')}<h1>${title}</h1>
<p class="lead">${productName ? labels.leadFor(productName) : labels.lead}</p>
!${countdown(refreshes)}
<div class="actions"><a class="button" href="${continueUrl}">${labels.continue}</a></div>`
  return { title, body }
}

function firstSignIn(labels: Texts['welcome'], welcome: WelcomePage, { scopes, host, cancelUrl }: NonNullable<WelcomePage['sharing']>) {
  const product = welcome.productName || host
  const title = labels.sharingTitle(firstName(welcome.name), product)
  const items = shared(labels, scopes).map((item) => html`<li>!${icon('check')}<span>${item}</span></li>`)
  const body = html`<h1>${title}</h1>
<p class="lead">${labels.sharingLead(host)}</p>
<section class="facts" aria-labelledby="receives"><h2 id="receives">${labels.receives(product)}</h2>
<ul>!${items}</ul><p>${labels.neverShared}</p></section>
<div class="actions"><a class="button" href="${welcome.continueUrl}">${labels.continueTo(product)}</a>
<a class="button button-secondary" href="${cancelUrl}">${labels.cancel}</a></div>`
  return { title, body }
}

/** A handoff always includes the profile, and the address only with its scope. Any other scope is shown by its name. */
function shared(labels: Texts['welcome'], scopes: string[]): string[] {
  const others = scopes.filter((scope) => scope !== 'read:profile' && scope !== 'read:email')
  return [labels.scopeProfile, ...(scopes.includes('read:email') ? [labels.scopeEmail] : []), ...others.map(labels.scopeOther)]
}

function countdown(refreshes: boolean): string {
  return refreshes ? '<div class="countdown" aria-hidden="true"><span></span></div>' : ''
}

function firstName(name: string): string {
  return name.trim().split(/\s+/u, 1)[0] || name
}
