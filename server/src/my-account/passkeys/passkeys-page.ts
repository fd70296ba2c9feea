import { html } from 'ghtml'
import { alert, field, hidden, notice, ownHref, type PageContext, passkeyScript, type Texts, texts } from '../../pages/index.ts'
import type { Passkey } from '../../users/index.ts'
import { accountLayout } from '../components.ts'

export type PasskeyProblem = keyof Texts['passkeys']['problems']

/** `suggestion` is a name for a passkey of this browser. */
interface PasskeysPage {
  passkeys: Passkey[]
  suggestion: string
  done?: 'added' | 'renamed' | 'removed' | undefined
  problem?: PasskeyProblem | undefined
}

/** A user's passkeys. `name` and `credential` of a new one go to `/account/passkeys`. */
export function passkeysPage(context: PageContext, { passkeys, suggestion, done, problem }: PasskeysPage): string {
  const { passkeys: labels, backToAccount } = texts[context.language]
  const alertText = problem && labels.problems[problem]
  const list = passkeys.map((passkey) => item(context, passkey))
  const body = html`<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
!${alertText ? alert(alertText.title, { advice: alertText.advice }) : ''}!${done ? notice(labels[done], labels[`${done}Advice`]) : ''}
<section aria-labelledby="list"><h2 class="section" id="list">${labels.list}</h2>
!${passkeys.length === 0 ? html`<p class="hint">${labels.none}</p>` : html`<ul class="own">!${list}</ul>`}</section>
<section aria-labelledby="add"><h2 class="section" id="add">${labels.addTitle}</h2>
!${addForm(labels, suggestion)}</section>
<div class="actions"><a class="button button-secondary" href="${ownHref('/account')}">${backToAccount}</a></div>`
  return accountLayout(context, { title: labels.title, body, problem: problem !== undefined, script: ownHref(passkeyScript.path) })
}

function item(context: PageContext, passkey: Passkey): string {
  const { passkeys: labels } = texts[context.language]
  const href = ownHref('/account/passkeys/change', { id: passkey.id })
  return html`<li><strong>${passkey.name}</strong><span>!${facts(context, passkey)}</span>
<a href="${href}" aria-label="${labels.changeNamed(passkey.name)}">${labels.change}</a></li>`
}

/** One line for each. Markup. */
function facts({ language }: PageContext, { createdAt, lastUsedAt, isBackedUp }: Passkey): string {
  const { passkeys: labels } = texts[language]
  const day = (time: number) => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'America/Sao_Paulo' }).format(time)
  const used = lastUsedAt === undefined ? labels.neverUsed : labels.used(day(lastUsedAt))
  const lines = [labels.made(day(createdAt)), used, ...(isBackedUp ? [labels.copied] : [])]
  return lines.map((line) => html`${line}`).join('<br>')
}

/** One of them: `id`, with `name`, to `/account/passkeys/rename`; `id` to `…/remove`. */
export function passkeyPage(context: PageContext, passkey: Passkey): string {
  const { passkeys: labels } = texts[context.language]
  const { id, name } = passkey
  const body = html`<h1>${labels.changeTitle}</h1>
<p class="lead">!${facts(context, passkey)}</p>
<form method="post" action="${ownHref('/account/passkeys/rename')}">
!${hidden('id', id)}
!${field({ name: 'name', label: labels.name, value: name, autocomplete: 'off', traits: 'maxlength="60"' })}
<button class="button" type="submit">${labels.save}</button>
</form>
<form method="post" action="${ownHref('/account/passkeys/remove')}">
!${hidden('id', id)}
<p class="hint">${labels.removeAdvice}</p>
<button class="button button-secondary" type="submit">${labels.remove}</button>
</form>
<div class="actions"><a class="button button-secondary" href="${ownHref('/account/passkeys')}">${labels.back}</a></div>`
  return accountLayout(context, { title: labels.changeTitle, body })
}

function addForm(labels: Texts['passkeys'], suggestion: string): string {
  const { cancelled, known, failed } = labels
  return html`<p class="hint" data-without>${labels.needsScript}</p>
<div data-passkey="create" data-cancelled="${cancelled}" data-known="${known}" data-failed="${failed}" hidden>
<form method="post" action="${ownHref('/account/passkeys')}" data-options="${ownHref('/account/passkeys/options')}">
!${hidden('credential', '')}
!${field({ name: 'name', label: labels.name, value: suggestion, autocomplete: 'off', traits: 'maxlength="60"', hint: labels.addHint })}
<button class="button" type="submit">${labels.add}</button>
<p class="hint" role="status"></p>
</form></div>`
}
