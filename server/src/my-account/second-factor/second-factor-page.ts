import { html } from 'ghtml'
import {
  alert,
  badge,
  codesScript,
  elsewhere,
  facts,
  field,
  nameOf,
  notice,
  ownHref,
  type PageContext,
  type Texts,
  texts,
} from '../../pages/index.ts'
import type { FactorState } from '../../users/index.ts'
import { accountLayout } from '../components.ts'
import { qrCode } from './qr-code.ts'

/**
 * `problem`: the code that should have confirmed the app was wrong, or its key is no longer this session's, which the state `off` shows.
 * `done`: the factor has just been turned off.
 */
type SecondFactorSettingsPage = FactorState & { problem?: 'wrong_code' | undefined; done?: 'off' | undefined }

/** With this few recovery codes left, a user is reminded to make new ones. */
const FEW = 3

/** A user's second factor, at `/account/second-factor`: turned on in two steps, shown, and turned off. */
export function secondFactorSettingsPage(context: PageContext, shown: SecondFactorSettingsPage): string {
  const all = texts[context.language]
  const labels = all.secondFactorSettings
  const body = shown.state === 'on' ? onBody(context, shown) : shown.state === 'pending' ? pendingBody(all, shown) : offBody(all, shown)
  return accountLayout(context, { title: labels.title, body, problem: shown.problem !== undefined })
}

function offBody({ secondFactorSettings: labels, backToAccount }: Texts, { problem, done }: SecondFactorSettingsPage): string {
  return html`!${badge('shield')}<h1>${labels.title}</h1>
!${problem ? alert(labels.setUpOver, { advice: labels.setUpOverAdvice }) : ''}
!${done === 'off' ? notice(labels.turnedOff, labels.turnedOffAdvice) : ''}
<p class="lead">${labels.offLead}</p>
<form method="post" action="${ownHref('/account/second-factor/begin')}">
<div class="actions"><button class="button" type="submit">${labels.begin}</button>
<a class="button button-secondary" href="${ownHref('/account')}">${backToAccount}</a></div>
</form>
<ul class="tips"><li>${labels.whichApps}</li><li>${labels.everySignInMethod}</li></ul>`
}

function pendingBody(
  { secondFactorSettings: labels, backToAccount }: Texts,
  { secret, uri, problem }: SecondFactorSettingsPage & { state: 'pending' },
): string {
  const { side, path } = qrCode(uri)
  return html`<h1>${labels.pendingTitle}</h1>
!${problem ? alert(labels.wrongCode) : ''}
<ol class="numbered"><li>${labels.scan}
<svg class="qr" viewBox="0 0 ${side} ${side}" role="img" aria-label="${labels.qrLabel}" shape-rendering="crispEdges"><path class="qr-light" d="M0 0h${side}v${side}h-${side}z"/><path d="${path}"/></svg>
<p class="hint">${labels.orType}</p>
<p><code class="secret" id="secret">${inGroups(secret)}</code></p>
<p class="hint"><a class="here" href="${uri}">${labels.openApp}</a></p></li>
<li>${labels.thenType}
<form method="post" action="${ownHref('/account/second-factor')}" novalidate>
!${field({
    name: 'code',
    label: labels.code,
    autocomplete: 'one-time-code',
    traits: 'inputmode="numeric" maxlength="9"',
    look: 'code',
    error: problem && labels.wrongCodeAdvice,
    focus: problem !== undefined,
  })}
<div class="actions"><button class="button" type="submit">${labels.confirm}</button>
<a class="button button-secondary" href="${ownHref('/account')}">${backToAccount}</a></div>
</form></li></ol>`
}

/** Four letters at a time, as they are read aloud. */
function inGroups(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ')
}

function onBody({ language }: PageContext, { since, recoveryCodesLeft }: SecondFactorSettingsPage & { state: 'on' }): string {
  const { secondFactorSettings: labels, backToAccount } = texts[language]
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'America/Sao_Paulo' }).format(since)
  return html`!${badge('shield')}<h1>${labels.title}</h1>
<p class="lead">${labels.onLead}</p>
!${recoveryCodesLeft <= FEW ? alert(labels.few(recoveryCodesLeft), { advice: labels.fewAdvice }) : ''}
!${facts({ id: 'state', heading: labels.state, items: [labels.onSince(day), ...(recoveryCodesLeft > FEW ? [labels.codesLeft(recoveryCodesLeft)] : [])] })}
<form method="post" action="${ownHref('/account/second-factor/recovery-codes')}">
<p class="hint">${labels.renewHint}</p><button class="button button-secondary" type="submit">${labels.renew}</button></form>
<form method="post" action="${ownHref('/account/second-factor/off')}">
<p class="hint">${labels.offHint}</p>
<details class="sure"><summary class="button button-secondary">${labels.turnOff}</summary>
<p class="hint">${labels.turnOffSure}</p><button class="button button-danger" type="submit">${labels.turnOffNow}</button></details></form>
!${elsewhere(labels.done, { label: backToAccount, href: ownHref('/account') })}`
}

/** The recovery codes, shown only now. `why`: the factor was just turned on, or these replace older ones. */
export function recoveryCodesPage(context: PageContext, { codes, why }: { codes: readonly string[]; why: 'on' | 'renewed' }): string {
  const labels = texts[context.language].secondFactorSettings
  const title = why === 'on' ? labels.turnedOn : labels.renewed
  const items = codes.map((code) => html`<li>${code}</li>`)
  const body = html`!${badge('check')}<h1>${title}</h1>
<p class="lead">${labels.keepLead}</p>
<section aria-labelledby="codes"><h2 class="eyebrow" id="codes">${labels.codes}</h2><ol class="codes">!${items}</ol></section>
!${waysToKeep(context, codes)}
<ul class="tips"><li>${labels.eachOnce}</li><li>${labels.printOrCopy}</li><li>${labels.onlyNow}</li></ul>
<div class="actions"><a class="button" href="${ownHref('/account/second-factor')}">${labels.kept}</a></div>`
  return accountLayout(context, { title, body, script: ownHref(codesScript.path) })
}

/** The file is in the link itself, so it needs no script. Copying and printing do, and show with it. */
function waysToKeep(context: PageContext, codes: readonly string[]): string {
  const labels = texts[context.language].secondFactorSettings
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${nameOf(context)}\r\n${labels.codes}\r\n\r\n${codes.join('\r\n')}\r\n`)}`
  return html`<div class="keep"><button class="button button-secondary" type="button" data-codes data-done="${labels.copied}" hidden aria-live="polite">${labels.copy}</button>
<a class="button button-secondary" href="${file}" download="${labels.fileName}">${labels.download}</a>
<button class="button button-secondary" type="button" data-codes hidden>${labels.print}</button></div>`
}
