import { html } from 'ghtml'
import { field, fieldError, type Language, texts } from '../../pages/index.ts'
import { countriesIn } from './countries.ts'

/** The typed foreign document, unchanged. */
export interface ForeignValues {
  foreign?: { kind: string; country: string; number: string }
  hasNoTaxId?: boolean
}

type Wrong = ReadonlyArray<{ name: string; message: string }>

/**
 * For users who have neither CPF nor CNPJ: a document of another country, or the statement that they have none. It is folded until it is
 * needed.
 */
export function foreignFields(
  language: Language,
  { foreigners, values }: { foreigners: 'document' | 'exempt'; values: ForeignValues },
  wrong: Wrong,
): string {
  const labels = texts[language].profile.foreign
  const given = values.foreign ?? { kind: '', country: '', number: '' }
  const isOpen = values.hasNoTaxId || given.number !== '' || given.country !== '' || wrong.some(({ name }) => name.startsWith('document_'))
  const within =
    foreigners === 'exempt'
      ? html`<label class="check" for="no_tax_id"><input type="checkbox" id="no_tax_id" name="no_tax_id" value="1" !${values.hasNoTaxId ? 'checked' : ''}>${labels.exempt}</label>`
      : documentFields(language, given, wrong)
  return html`<details class="foreign" !${isOpen ? 'open' : ''}><summary>${labels.summary}</summary><div>!${within}</div></details>`
}

function documentFields(language: Language, given: NonNullable<ForeignValues['foreign']>, wrong: Wrong): string {
  const labels = texts[language].profile.foreign
  const kinds = (['passport', 'foreign_tax_id'] as const).map((kind) => ({ code: kind, name: labels.kinds[kind] }))
  const messageOf = (name: string) => wrong.find((one) => one.name === name)?.message
  return [
    html`<p class="hint">${labels.lead}</p>`,
    choice({ name: 'document_kind', label: labels.kind, options: kinds, chosen: given.kind, empty: undefined, error: undefined }),
    choice({
      name: 'document_country',
      label: labels.country,
      options: countriesIn(language),
      chosen: given.country,
      empty: labels.choose,
      error: messageOf('document_country'),
    }),
    field({
      name: 'document_number',
      label: labels.number,
      value: given.number,
      autocomplete: 'off',
      traits: 'autocapitalize="characters" spellcheck="false"',
      error: messageOf('document_number'),
    }),
  ].join('\n')
}

interface Choice {
  name: string
  label: string
  options: ReadonlyArray<{ code: string; name: string }>
  chosen: string
  /** The first option of a list, while nothing is chosen. */
  empty: string | undefined
  error: string | undefined
}

function choice({ name, label, options, chosen, empty, error }: Choice): string {
  // HTML allows options without end tags: all countries of the world have to fit on a light page.
  const lines = options.map((one) => html`<option value="${one.code}"!${one.code === chosen ? ' selected' : ''}>${one.name}`)
  const first = empty === undefined ? '' : html`<option value="">${empty}`
  const state = error === undefined ? '' : html`aria-invalid="true" aria-describedby="${name}-error"`
  return html`<div class="field"><label for="${name}">${label}</label>
<select class="input" id="${name}" name="${name}" !${state}>!${first}!${lines}</select>!${error === undefined ? '' : fieldError(name, error)}</div>`
}
