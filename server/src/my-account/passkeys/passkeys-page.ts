import { html } from 'ghtml'
import { alert, field, hidden, layout, notice, ownHref, type PageContext, passkeyScript, type Texts, texts } from '../../pages/index.ts'
import type { Passkey } from '../../users/index.ts'

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
  const { passkeys: words, backToAccount } = texts[context.language]
  const told = problem && words.problems[problem]
  const list = passkeys.map((passkey) => item(context, passkey))
  const body = html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
!${told ? alert(told.title, { advice: told.advice }) : ''}!${done ? notice(words[done], words[`${done}Advice`]) : ''}
<section aria-labelledby="list"><h2 class="section" id="list">${words.list}</h2>
!${passkeys.length === 0 ? html`<p class="hint">${words.none}</p>` : html`<ul class="own">!${list}</ul>`}</section>
<section aria-labelledby="add"><h2 class="section" id="add">${words.addTitle}</h2>
!${addForm(words, suggestion)}</section>
<div class="actions"><a class="button button-secondary" href="${ownHref('/account')}">${backToAccount}</a></div>`
  return layout(context, { title: words.title, body, problem: problem !== undefined, script: ownHref(passkeyScript.path) })
}

function item(context: PageContext, passkey: Passkey): string {
  const { passkeys: words } = texts[context.language]
  const href = ownHref('/account/passkeys/change', { id: passkey.id })
  return html`<li><strong>${passkey.name}</strong><span>!${facts(context, passkey)}</span>
<a href="${href}" aria-label="${words.changeNamed(passkey.name)}">${words.change}</a></li>`
}

/** One line for each. Markup. */
function facts({ language }: PageContext, { createdAt, lastUsedAt, isBackedUp }: Passkey): string {
  const { passkeys: words } = texts[language]
  const day = (time: number) => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'America/Sao_Paulo' }).format(time)
  const used = lastUsedAt === undefined ? words.neverUsed : words.used(day(lastUsedAt))
  const lines = [words.made(day(createdAt)), used, ...(isBackedUp ? [words.copied] : [])]
  return lines.map((line) => html`${line}`).join('<br>')
}

/** One of them: `id`, with `name`, to `/account/passkeys/rename`; `id` to `…/remove`. */
export function passkeyPage(context: PageContext, passkey: Passkey): string {
  const { passkeys: words } = texts[context.language]
  const { id, name } = passkey
  const body = html`<h1>${words.changeTitle}</h1>
<p class="lead">!${facts(context, passkey)}</p>
<form method="post" action="${ownHref('/account/passkeys/rename')}">
!${hidden('id', id)}
!${field({ name: 'name', label: words.name, value: name, autocomplete: 'off', traits: 'maxlength="60"' })}
<button class="button" type="submit">${words.save}</button>
</form>
<form method="post" action="${ownHref('/account/passkeys/remove')}">
!${hidden('id', id)}
<p class="hint">${words.removeAdvice}</p>
<button class="button button-secondary" type="submit">${words.remove}</button>
</form>
<div class="actions"><a class="button button-secondary" href="${ownHref('/account/passkeys')}">${words.back}</a></div>`
  return layout(context, { title: words.changeTitle, body })
}

function addForm(words: Texts['passkeys'], suggestion: string): string {
  const { cancelled, known, failed } = words
  return html`<p class="hint" data-without>${words.needsScript}</p>
<div data-passkey="create" data-cancelled="${cancelled}" data-known="${known}" data-failed="${failed}" hidden>
<form method="post" action="${ownHref('/account/passkeys')}" data-options="${ownHref('/account/passkeys/options')}">
!${hidden('credential', '')}
!${field({ name: 'name', label: words.name, value: suggestion, autocomplete: 'off', traits: 'maxlength="60"', hint: words.addHint })}
<button class="button" type="submit">${words.add}</button>
<p class="hint" role="status"></p>
</form></div>`
}
