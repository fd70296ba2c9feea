import { html } from 'ghtml'
import { layout, type PageContext, texts } from '../../pages/index.ts'
import type { Nda, NdaAcceptance, Sharing } from '../../users/index.ts'
import { buttonForm, details, entries, foot, moment, pager, plain } from '../components.ts'

interface OwnConsentsPage {
  /** The accepted version; `undefined` for none. */
  nda: NdaAcceptance | undefined
  /** The present agreement; its text is shown if it is the accepted one. */
  current: Nda
  sharings: Sharing[]
  cursor: string | undefined
  isFirst: boolean
}

/** A user's agreements: the NDA, and the data that products may receive. */
export function consentsPage(context: PageContext, { nda, current, sharings, cursor, isFirst }: OwnConsentsPage): string {
  const { language } = context
  const words = texts[language].ownConsents
  const shown = sharings.map(({ productId, product, scopes, grantedAt, ip }) => ({
    heading: product,
    facts: [
      { label: words.receives, value: plain(scopeWords(context, scopes)) },
      { label: words.since, value: moment(grantedAt, language) },
      { label: words.ip, value: plain(ip) },
    ],
    action: context.impersonation
      ? undefined
      : buttonForm('/account/consents/withdraw', {
          label: words.withdraw,
          named: words.withdrawOf(product),
          fields: { product: productId },
        }),
  }))
  const body = html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<h2 class="section">${words.nda}</h2>
!${nda ? accepted(context, nda, current) : html`<p class="note">${words.noNda}</p>`}
<h2 class="section">${words.sharings}</h2>
!${entries(shown, words.noSharings)}
!${shown.length > 0 && !context.impersonation ? html`<p class="note">${words.withdrawHint}</p>` : ''}
!${pager(context, '/account/consents', { cursor, isFirst })}
!${foot(context, { times: nda || shown.length > 0 ? 'brasilia' : 'none' })}`
  return layout(context, { title: words.title, body, width: nda ? 'wide' : 'narrow' })
}

/** One text binds, and it is Portuguese: it is shown if it is still the accepted one. */
function accepted({ language }: PageContext, nda: NdaAcceptance, current: Nda): string {
  const words = texts[language].ownConsents
  const facts = details([
    { label: words.version, value: plain(nda.version) },
    { label: words.ndaAccepted, value: moment(nda.at, language) },
    { label: words.ip, value: plain(nda.ip) },
  ])
  if (nda.textHash !== current.textHash)
    return html`!${facts}<p class="note">${words.olderText} <code>${nda.textHash.slice(0, 16)}</code></p>`
  const lang = language === 'pt-BR' ? '' : ' lang="pt-BR"'
  const paragraphs = current.text.trim().split(/\n\s*\n/)
  return html`!${facts}<details class="text"><summary>${words.readText}</summary><div!${lang}>!${paragraphs.map((one) => html`<p>${one}</p>`)}</div></details>`
}

function scopeWords({ language }: PageContext, scopes: readonly string[]): string {
  const words = texts[language].ownConsents
  const known = new Map([
    ['read:profile', words.profile],
    ['read:email', words.email],
  ])
  return scopes.map((scope) => known.get(scope) ?? scope).join(', ')
}
