import { html } from 'ghtml'

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

/** First letter of the first and of the last word, by whole characters. */
function initials(name: string): string {
  const parts = name.trim().split(/\s+/u)
  const initials = [parts[0], parts.length > 1 ? parts.at(-1) : undefined].map((part) => [...(part ?? '')][0] ?? '')
  return initials.join('').toUpperCase()
}
