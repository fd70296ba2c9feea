import { html } from 'ghtml'
import { alert, badge, elsewhere, facts, field, layout, notice, ownHref, type PageContext, type Texts, texts } from '../../pages/index.ts'
import type { FactorState } from '../../users/index.ts'
import { qrCode } from './qr-code.ts'

/** `problem`: the code that should have confirmed the app was wrong. `done`: the factor has just been turned off. */
type SecondFactorSettingsPage = FactorState & { problem?: 'wrong_code' | undefined; done?: 'off' | undefined }

/** With this few recovery codes left, a user is reminded to make new ones. */
const FEW = 3

/** A user's second factor, at `/account/second-factor`: turned on in two steps, shown, and turned off. */
export function secondFactorSettingsPage(context: PageContext, shown: SecondFactorSettingsPage): string {
  const all = texts[context.language]
  const words = all.secondFactorSettings
  const body = shown.state === 'on' ? onBody(context, shown) : shown.state === 'waiting' ? waitingBody(all, shown) : offBody(all, shown)
  return layout(context, { title: words.title, body, problem: shown.problem !== undefined })
}

function offBody({ secondFactorSettings: words, backToAccount }: Texts, { done }: SecondFactorSettingsPage): string {
  return html`!${badge('shield')}<h1>${words.title}</h1>
!${done === 'off' ? notice(words.turnedOff, words.turnedOffAdvice) : ''}
<p class="lead">${words.offLead}</p>
<form method="post" action="${ownHref('/account/second-factor/begin')}">
<div class="actions"><button class="button" type="submit">${words.begin}</button>
<a class="button button-secondary" href="${ownHref('/account')}">${backToAccount}</a></div>
</form>
<ul class="tips"><li>${words.whichApps}</li><li>${words.everySignInMethod}</li></ul>`
}

function waitingBody(
  { secondFactorSettings: words, backToAccount }: Texts,
  { secret, uri, problem }: SecondFactorSettingsPage & { state: 'waiting' },
): string {
  const { side, path } = qrCode(uri)
  return html`<h1>${words.waitingTitle}</h1>
!${problem ? alert(words.wrongCode) : ''}
<ol class="numbered"><li>${words.scan}
<svg class="qr" viewBox="0 0 ${side} ${side}" role="img" aria-label="${words.qrLabel}" shape-rendering="crispEdges"><path class="qr-light" d="M0 0h${side}v${side}h-${side}z"/><path d="${path}"/></svg>
<p class="hint">${words.orType}</p>
<p><code class="secret" id="secret">${inGroups(secret)}</code></p>
<p class="hint"><a class="here" href="${uri}">${words.openApp}</a></p></li>
<li>${words.thenType}
<form method="post" action="${ownHref('/account/second-factor')}" novalidate>
!${field({
    name: 'code',
    label: words.code,
    autocomplete: 'one-time-code',
    traits: 'inputmode="numeric" maxlength="9"',
    look: 'code',
    error: problem && words.wrongCodeAdvice,
    focus: problem !== undefined,
  })}
<div class="actions"><button class="button" type="submit">${words.confirm}</button>
<a class="button button-secondary" href="${ownHref('/account')}">${backToAccount}</a></div>
</form></li></ol>`
}

/** Four letters at a time, as they are read aloud. */
function inGroups(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ')
}

function onBody({ language }: PageContext, { since, recoveryCodesLeft }: SecondFactorSettingsPage & { state: 'on' }): string {
  const { secondFactorSettings: words, backToAccount } = texts[language]
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'America/Sao_Paulo' }).format(since)
  return html`!${badge('shield')}<h1>${words.title}</h1>
<p class="lead">${words.onLead}</p>
!${recoveryCodesLeft <= FEW ? alert(words.few(recoveryCodesLeft), { advice: words.fewAdvice }) : ''}
!${facts({ id: 'state', heading: words.state, items: [words.onSince(day), ...(recoveryCodesLeft > FEW ? [words.codesLeft(recoveryCodesLeft)] : [])] })}
<form method="post" action="${ownHref('/account/second-factor/recovery-codes')}">
<p class="hint">${words.renewHint}</p><button class="button button-secondary" type="submit">${words.renew}</button></form>
<form method="post" action="${ownHref('/account/second-factor/off')}">
<p class="hint">${words.offHint}</p>
<details class="sure"><summary class="button button-secondary">${words.turnOff}</summary>
<p class="hint">${words.turnOffSure}</p><button class="button button-danger" type="submit">${words.turnOffNow}</button></details></form>
!${elsewhere(words.done, { label: backToAccount, href: ownHref('/account') })}`
}

/** The recovery codes, shown only now. `why`: the factor was just turned on, or these replace older ones. */
export function recoveryCodesPage(context: PageContext, { codes, why }: { codes: readonly string[]; why: 'on' | 'renewed' }): string {
  const words = texts[context.language].secondFactorSettings
  const title = why === 'on' ? words.turnedOn : words.renewed
  const items = codes.map((code) => html`<li>${code}</li>`)
  const body = html`!${badge('check')}<h1>${title}</h1>
<p class="lead">${words.keepLead}</p>
<section aria-labelledby="codes"><h2 class="eyebrow" id="codes">${words.codes}</h2><ol class="codes">!${items}</ol></section>
<ul class="tips"><li>${words.eachOnce}</li><li>${words.printOrCopy}</li><li>${words.onlyNow}</li></ul>
<div class="actions"><a class="button" href="${ownHref('/account/second-factor')}">${words.kept}</a></div>`
  return layout(context, { title, body })
}
