import { html } from 'ghtml'
import { hidden, icon, ownHref, type PageContext, providerMark, type Texts, texts } from '../../pages/index.ts'
import type { LoginPage } from './login-form.ts'

/** Passkeys come first. A browser without them shows nothing of this. */
export function otherWays({ language }: PageContext, { providers, flow }: LoginPage): string {
  const { login: labels, passkeySignIn } = texts[language]
  const or = html`<div class="or"><span>${labels.or}</span></div>`
  const buttons = providers.map((provider) => providerButton(labels, provider))
  return html`!${buttons.length > 0 ? or : ''}
<div class="providers"><div data-passkey="get" data-cancelled="${passkeySignIn.cancelled}" data-failed="${passkeySignIn.failed}" hidden>
!${buttons.length > 0 ? '' : or}
<form method="post" action="${ownHref('/passkeys/sign-in')}" data-options="${ownHref('/passkeys/sign-in/options')}">
!${hidden('flow', flow)}!${hidden('credential', '')}
<button class="button button-secondary provider" type="submit">!${icon('key')}<span>${passkeySignIn.submit}</span></button>
<p class="hint" role="status"></p>
</form></div>
!${buttons}</div>`
}

/** The mark of a company that is known, else the first letter of the name. */
function providerButton(labels: Texts['login'], { name, mark, href }: LoginPage['providers'][number]): string {
  const shown = mark === undefined ? html`<span class="letter" aria-hidden="true">${firstCharacter(name)}</span>` : providerMark(mark)
  return html`<a class="button button-secondary provider" href="${href}">!${shown}<span>${labels.signInWith(name)}</span></a>`
}

function firstCharacter(name: string): string {
  return ([...name.trim()][0] ?? '').toUpperCase()
}
