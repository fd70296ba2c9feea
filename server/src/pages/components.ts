import { html } from 'ghtml'
import type { Href } from './href.ts'
import { icon, type iconShapes } from './parts/icon.ts'

/** The components of the sign-in pages. Each returns finished markup; every value given is plain text and comes out escaped. */

/** A link. */
export interface Link {
  label: string
  href: Href
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
