import { html } from 'ghtml'
import type { Href } from './href.ts'

/** The components of the sign-in pages. Each returns finished markup; every value given is plain text and comes out escaped. */

export interface Field {
  name: string
  label: string
  type?: 'text' | 'email' | 'password' | 'tel'
  value?: string | undefined
  autocomplete: string
  /** Attributes that describe keyboard and value to the user's device: only our own words. */
  traits?: string
  hint?: string
  /** The usual form of what is typed, which a script gives it. */
  shape?: 'tax_id' | 'phone'
  /** A code is short, and its digits are compared one by one. */
  look?: 'code' | 'long-code'
  /** Shown after the label, where the field may stay empty. */
  optional?: string | undefined
  /** The message beside the field; marks it as invalid. */
  error?: string | undefined
  focus?: boolean
  /** A link beside the label. It comes after the input, so that the tab key goes from field to field. */
  original?: Link | undefined
}

/** A link. */
export interface Link {
  label: string
  href: Href
}

/** A labelled input with its hint and its error beside it, both tied to it for screen readers. */
export function field({
  name,
  label,
  type = 'text',
  value = '',
  autocomplete,
  traits = '',
  hint,
  shape,
  look,
  optional,
  error,
  focus,
  original,
}: Field): string {
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  const states = [
    optional === undefined ? 'required' : '',
    error ? 'aria-invalid="true"' : '',
    described ? html`aria-describedby="${described}"` : '',
    focus ? 'autofocus' : '',
    shape ? html`data-shape="${shape}"` : '',
    traits,
  ]
  const input = html`<input class="input!${look ? ` input-${look}` : ''}" id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" !${states.filter(Boolean).join(' ')}>`
  return html`<div class="field!${original ? ' field-aside' : ''}">
<label for="${name}">${label}!${optional === undefined ? '' : html` <span class="optional">${optional}</span>`}</label>
!${type === 'password' ? html`<span class="typed-secret">!${input}</span>` : input}
!${original ? html`<a class="aside" href="${original.href}">${original.label}</a>` : ''}!${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : ''}
!${error ? fieldError(name, error) : ''}
</div>`
}

/** The message beside a field, under the id that the field's `aria-describedby` names. */
export function fieldError(name: string, message: string): string {
  return html`<p class="field-error" id="${name}-error">!${icon('alert')}<span>${message}</span></p>`
}

/** The box above a form with its error; read out at once. `fields` links to the inputs concerned. */
export function alert(
  heading: string,
  { advice, fields = [] }: { advice?: string; fields?: { name: string; message: string }[] } = {},
): string {
  const items = fields.map(({ name, message }) => html`<li><a href="#${name}">${message}</a></li>`)
  return html`<div class="alert" role="alert">!${icon('alert')}<div><strong>${heading}</strong>
!${advice ? html`<p>${advice}</p>` : ''}!${items.length > 0 ? html`<ul>!${items}</ul>` : ''}</div></div>`
}

/** The box above a form for a message that is no error. */
export function notice(heading: string, advice: string): string {
  return html`<div class="alert alert-info" role="status">!${icon('info')}<div><strong>${heading}</strong><p>${advice}</p></div></div>`
}

/** A user, as name and address beside their initials. */
export function userCard(
  { name, email, picture }: { name?: string | undefined; email?: string | undefined; picture?: string | undefined },
  caption?: string,
): string {
  const shown = [name, email].filter((text) => text)
  return html`<div class="user">!${avatar({ name: name || email || '', picture })}<div>
!${caption ? html`<span class="eyebrow">${caption}</span>` : ''}<strong>${shown[0]}</strong>!${shown[1] ? html`<span>${shown[1]}</span>` : ''}</div></div>`
}

/** A user's picture at a path of ours, or their initials. */
export function avatar({ name, picture }: { name: string; picture?: string | undefined }): string {
  if (picture !== undefined) return html`<img class="avatar" src="${picture}" alt="" width="44" height="44">`
  return html`<span class="avatar" aria-hidden="true">${initials(name)}</span>`
}

export function hidden(name: string, value: string): string {
  return html`<input type="hidden" name="${name}" value="${value}">`
}

/** Ties the password beside it to its account, for password managers alone. */
export function accountOfPassword(email: string): string {
  return html`<input type="text" name="username" value="${email}" autocomplete="username" hidden readonly>`
}

/** The line at the foot of a page for a user who is wrong there: a question, and the right page. */
export function elsewhere(question: string, { label, href }: Link): string {
  return html`<p class="elsewhere">${question} <a href="${href}">${label}</a></p>`
}

/** Facts in a box under a heading of their own. */
export function facts({
  id,
  heading,
  items,
  icon: mark = 'check',
}: {
  id: string
  heading: string
  items: string[]
  icon?: keyof typeof iconShapes
}): string {
  const list = items.map((item) => html`<li>!${icon(mark)}<span>${item}</span></li>`)
  return html`<section class="facts" aria-labelledby="${id}"><h2 id="${id}">${heading}</h2><ul>!${list}</ul></section>`
}

/** The user's step in a task of several; nothing for a task of one. */
export function steps(caption: string, step: number, of: number): string {
  if (of < 2) return ''
  const marks = Array.from({ length: of }, (_, index) => (index < step ? '<li class="done"></li>' : '<li></li>'))
  return html`<ul class="steps" aria-hidden="true">!${marks}</ul><p class="eyebrow">${caption}</p>`
}

const iconShapes = {
  alert: '<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5.5M12 16.5v.01"/>',
  bin: '<path d="M4.5 7h15M9.5 7V4h5v3M6.5 7l1 13h9l1-13"/>',
  card: '<rect x="3" y="5" width="18" height="14" rx="2.5"/><path d="M3 10h18M7 15h4"/>',
  check: '<path d="M5 12.5l4.5 4.5L19 7.5"/>',
  clock: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.5 2"/>',
  door: '<path d="M10 4H6a1 1 0 0 0-1 1v14a1 1 0 0 0 1 1h4M10 12h9.5M16 8.5l3.5 3.5-3.5 3.5"/>',
  download: '<path d="M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 20h14"/>',
  globe:
    '<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c2.5 2.6 3.8 5.6 3.8 9s-1.3 6.4-3.8 9c-2.5-2.6-3.8-5.6-3.8-9s1.3-6.4 3.8-9z"/>',
  info: '<circle cx="12" cy="12" r="9"/><path d="M12 11v5.5M12 7.5v.01"/>',
  key: '<circle cx="8" cy="15" r="4.5"/><path d="M11.5 11.5L20 3M16.5 6.5l3 3"/>',
  lock: '<rect x="5" y="11" width="14" height="9.5" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>',
  mail: '<rect x="3" y="5" width="18" height="14" rx="2.5"/><path d="M3.5 7.5L12 13l8.5-5.5"/>',
  paper: '<path d="M7 3h7l4 4v14H7a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM14 3v4h4M10 12h4.5M10 16h4.5"/>',
  user: '<circle cx="12" cy="8" r="4"/><path d="M4.5 20.5c.8-4 3.8-6 7.5-6s6.7 2 7.5 6"/>',
  shield: '<path d="M12 3l7.5 3v5.5c0 4.5-3 8-7.5 9.5-4.5-1.5-7.5-5-7.5-9.5V6z"/>',
} as const

export function icon(name: keyof typeof iconShapes): string {
  return html`<svg class="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">!${iconShapes[name]}</svg>`
}

/** The sign above a heading. What went well is green in every brand: in the accent of a red one it would look like a fault. */
export function badge(name: keyof typeof iconShapes): string {
  return html`<div class="badge${name === 'check' ? ' badge-good' : ''}">!${icon(name)}</div>`
}

/** First letter of the first and of the last word, by whole characters. */
function initials(name: string): string {
  const parts = name.trim().split(/\s+/u)
  const initials = [parts[0], parts.length > 1 ? parts.at(-1) : undefined].map((part) => [...(part ?? '')][0] ?? '')
  return initials.join('').toUpperCase()
}
