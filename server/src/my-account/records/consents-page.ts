import { html } from 'ghtml'
import { type PageContext, texts } from '../../pages/index.ts'
import type { Nda, NdaAcceptance, Sharing } from '../../users/index.ts'
import { accountLayout, buttonForm, details, entries, foot, moment, pager, plain } from '../components.ts'

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
  const labels = texts[language].ownConsents
  const shown = sharings.map(({ productId, product, scopes, grantedAt, ip }) => ({
    heading: product,
    facts: [
      { label: labels.receives, value: plain(scopeLabels(context, scopes)) },
      { label: labels.since, value: moment(grantedAt, language) },
      { label: labels.ip, value: plain(ip) },
    ],
    action: context.impersonation
      ? undefined
      : buttonForm('/account/consents/withdraw', {
          label: labels.withdraw,
          named: labels.withdrawOf(product),
          fields: { product: productId },
        }),
  }))
  const body = html`<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
<h2 class="section">${labels.nda}</h2>
!${nda ? accepted(context, nda, current) : html`<p class="note">${labels.noNda}</p>`}
<h2 class="section">${labels.sharings}</h2>
!${entries(shown, labels.noSharings)}
!${shown.length > 0 && !context.impersonation ? html`<p class="note">${labels.withdrawHint}</p>` : ''}
!${pager(context, '/account/consents', { cursor, isFirst })}
!${foot(context, { times: nda || shown.length > 0 ? 'brasilia' : 'none' })}`
  return accountLayout(context, { title: labels.title, body, width: nda ? 'wide' : 'narrow' })
}

/** One text binds, and it is Portuguese: it is shown if it is still the accepted one. */
function accepted({ language }: PageContext, nda: NdaAcceptance, current: Nda): string {
  const labels = texts[language].ownConsents
  const facts = details([
    { label: labels.version, value: plain(nda.version) },
    { label: labels.ndaAccepted, value: moment(nda.at, language) },
    { label: labels.ip, value: plain(nda.ip) },
  ])
  if (nda.textHash !== current.textHash)
    return html`!${facts}<p class="note">${labels.olderText} <code>${nda.textHash.slice(0, 16)}</code></p>`
  const lang = language === 'pt-BR' ? '' : ' lang="pt-BR"'
  const paragraphs = current.text.trim().split(/\n\s*\n/)
  return html`!${facts}<details class="text"><summary>${labels.readText}</summary><div!${lang}>!${paragraphs.map((one) => html`<p>${one}</p>`)}</div></details>`
}

function scopeLabels({ language }: PageContext, scopes: readonly string[]): string {
  const labels = texts[language].ownConsents
  const known = new Map([
    ['read:profile', labels.profile],
    ['read:email', labels.email],
  ])
  return scopes.map((scope) => known.get(scope) ?? scope).join(', ')
}
