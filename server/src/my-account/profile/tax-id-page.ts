import { html } from 'ghtml'
import { alert, field, notice, ownHref, type PageContext, type Texts, texts } from '../../pages/index.ts'
import type { OwnTaxIdRefusal, OwnTaxIdState } from '../../users/index.ts'
import { accountLayout, details, foot, plain } from '../components.ts'

interface OwnTaxIdPage {
  state: OwnTaxIdState
  /** Masked. */
  current: string | undefined
  typed?: string | undefined
  error?: Exclude<OwnTaxIdRefusal, 'gone'> | undefined
  saved?: 'entered' | 'corrected' | undefined
}

/** A user's CPF or CNPJ: entered, corrected once, and from then on only shown. Posted to `/account/tax-id`. */
export function ownTaxIdPage(context: PageContext, { state, current, typed, error, saved }: OwnTaxIdPage): string {
  const all = texts[context.language]
  const { ownTaxId: labels } = all
  const isOver = error === 'corrected_already'
  const message = error === undefined || error === 'corrected_already' ? undefined : messageOf(all, error)
  const savedAdvice = saved === 'entered' ? labels.entered : labels.savedAdvice
  const body = html`<h1>${labels.title}</h1>
<p class="lead">${leadOf(context, state)}</p>
!${saved ? notice(labels.saved, savedAdvice) : ''}!${isOver ? alert(labels.corrected, { advice: labels.correctedAdvice }) : ''}
!${message ? alert(all.fixFields, { fields: [{ name: 'tax_id', message }] }) : ''}
!${details([{ label: labels.current, value: current === undefined ? undefined : plain(current) }])}
!${state.may === 'support' ? '' : form(all, { may: state.may, typed, message })}
!${foot(context)}`
  return accountLayout(context, { title: labels.title, body, problem: error !== undefined })
}

function leadOf({ language }: PageContext, state: OwnTaxIdState): string {
  const { ownTaxId: labels } = texts[language]
  if (state.may !== 'support') return state.may === 'enter' ? labels.enterLead : labels.correctLead
  return labels.supportLead(
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'America/Sao_Paulo' }).format(state.correctedAt),
  )
}

function form(
  { ownTaxId: labels, profile }: Texts,
  { may, typed, message }: { may: 'enter' | 'correct'; typed: string | undefined; message: string | undefined },
): string {
  const input = field({
    name: 'tax_id',
    label: may === 'enter' ? labels.title : labels.number,
    shape: 'tax_id',
    value: typed,
    autocomplete: 'off',
    traits: 'autocapitalize="characters" spellcheck="false"',
    hint: profile.taxIdHint,
    error: message,
    focus: message !== undefined,
  })
  return html`<form method="post" action="${ownHref('/account/tax-id')}" novalidate>
!${input}
<button class="button" type="submit">${may === 'enter' ? labels.enter : labels.submit}</button>
</form>`
}

function messageOf({ profile, ownTaxId }: Texts, error: Exclude<OwnTaxIdRefusal, 'gone' | 'corrected_already'>): string {
  if (error === 'same') return ownTaxId.same
  if (error === 'unusable') return profile.unusable
  return error === 'too_many_tries' ? profile.tooManyTries : profile.errors.tax_id[error]
}
