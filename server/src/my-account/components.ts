import { html } from 'ghtml'
import { type Href, type Language, layout, notice, ownHref, type Page, type PageContext, texts } from '../pages/index.ts'

/** Components of the account's pages. As in pages/components, every value is plain text, except where it is called markup. */

/** A page of the account, with the styles that only these have. */
export function accountLayout(context: PageContext, page: Page): string {
  return layout(context, { ...page, styles: 'account' })
}

/** The time zone of users, which the service does not know; the mails use it too. */
const TIME_ZONE = 'America/Sao_Paulo'

/** A moment (ms) in words, with a machine-readable time. Markup. */
export function moment(at: number, language: Language): string {
  return html`<time datetime="${new Date(at).toISOString()}">${formatMoment(at, language)}</time>`
}

export function formatMoment(at: number, language: Language): string {
  const labels = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: TIME_ZONE }).format(at)
  return labels.replace(/\s+/g, ' ')
}

/** A Brazilian number in its national form, any other as stored. */
export function formatPhone(phone: string): string {
  return phone.replace(/^\+55(\d{2})(\d{4,5})(\d{4})$/, '+55 $1 $2-$3')
}

const DAY_MS = 86_400_000

/** How long ago, in words: today, in days, in months of 30 days, in years. */
export function formatAgo(at: number, now: number, language: Language): string {
  const days = Math.max(0, Math.floor((now - at) / DAY_MS))
  const formatter = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  if (days < 30) return formatter.format(-days, 'day')
  return days < 365 ? formatter.format(-Math.floor(days / 30), 'month') : formatter.format(-Math.floor(days / 365), 'year')
}

/** Centavos, as a price. */
export function formatPrice(centavos: number, language: Language): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency: 'BRL' }).format(centavos / 100)
}

/** One thing in a list, with its facts. `value` and `action` are markup; a fact without a value is left out. */
export interface Entry {
  heading: string
  /** For a state that is fine, or only informs. */
  tag?: { text: string; look: 'good' | 'quiet' } | undefined
  facts: Array<{ label: string; value: string | undefined }>
  note?: string | undefined
  action?: string | undefined
}

export function entries(list: readonly Entry[], whenNone: string): string {
  if (list.length === 0) return html`<p class="note">${whenNone}</p>`
  const items = list.map(
    ({
      heading,
      tag,
      facts,
      note,
      action,
    }) => html`<li class="entry"><h2>${heading}!${tag ? html` <span class="tag tag-!${tag.look}">${tag.text}</span>` : ''}</h2>
!${details(facts)}!${note ? html`<p class="hint">${note}</p>` : ''}!${action ?? ''}</li>`,
  )
  return html`<ul class="entries">!${items}</ul>`
}

/** Labels with their values, which are markup. */
export function details(facts: Entry['facts']): string {
  const rows = facts.flatMap(({ label, value }) => (value === undefined ? [] : [html`<div><dt>${label}</dt><dd>!${value}</dd></div>`]))
  return rows.length === 0 ? '' : html`<dl class="details">!${rows}</dl>`
}

/** Plain text as markup. */
export function plain(text: string): string {
  return html`${text}`
}

/** A form with a single button. `named`: the screen reader's label, where the button's own text would repeat its neighbours'. */
export function buttonForm(
  action: `/${string}`,
  { label, named, fields = {} }: { label: string; named?: string | undefined; fields?: Record<string, string> },
): string {
  const inputs = Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  const spoken = named === undefined ? '' : html` aria-label="${named}"`
  return html`<form method="post" action="${ownHref(action)}">!${inputs}<button class="button button-secondary" type="submit"!${spoken}>${label}</button></form>`
}

/** Says what an unverified address keeps from its user, above the button that mails the link. An impersonation shows no button. */
export function unverifiedNotice({ language, impersonation }: PageContext): string {
  const { unverified, advice, submit } = texts[language].ownEmail
  return html`!${notice(unverified, advice)}!${impersonation ? '' : buttonForm('/account/email/confirm', { label: submit })}`
}

/** Links to the next page of a list and back to its first. `cursor` is where the next begins. */
export function pager(
  { language }: PageContext,
  path: `/${string}`,
  { cursor, isFirst }: { cursor: string | undefined; isFirst: boolean },
): string {
  const labels = texts[language].own
  const links: Array<{ href: Href; label: string }> = [
    ...(isFirst ? [] : [{ href: ownHref(path), label: labels.newest }]),
    ...(cursor === undefined ? [] : [{ href: ownHref(path, { cursor }), label: labels.older }]),
  ]
  if (links.length === 0) return ''
  return html`<div class="actions">!${links.map(({ href, label }) => html`<a class="button button-secondary" href="${href}">${label}</a>`)}</div>`
}

/** The foot of each page: the time zone, and the way back. */
export function foot({ language }: PageContext, { times = 'none' }: { times?: 'brasilia' | 'none' } = {}): string {
  const { own, backToAccount } = texts[language]
  return html`!${times === 'brasilia' ? html`<p class="note">${own.times}</p>` : ''}
<p class="elsewhere"><a href="${ownHref('/account')}">${backToAccount}</a></p>`
}
