import { html } from 'ghtml'
import { alert, type Field, field, hidden, layout, ownHref, type PageContext, steps, type Texts, texts } from '../../pages/index.ts'
import type { AskedFields, ProfileError, ProfileField, ProfileRequirements } from '../../users/index.ts'
import { type ForeignValues, foreignFields } from './foreign-fields-page.ts'

/** The typed or already known values, unchanged. */
export interface ProfileValues extends ForeignValues {
  fullName?: string | undefined
  taxId?: string | undefined
  phone?: string | undefined
  companyName?: string | undefined
}

/** `steps` is 2 where the NDA follows. `canSkip`: no app waits for these data, so the user can give them later. */
export interface ProfilePage {
  flow: string
  asked: AskedFields
  foreigners: ProfileRequirements['foreigners']
  values: ProfileValues
  errors: Partial<Record<ProfileField, ProfileError>>
  canSkip: boolean
  steps: 1 | 2
}

/** Step 1 of completing the profile, posted to `/complete-profile`. The server validates, so that every message is ours. */
export function profilePage(context: PageContext, profile: ProfilePage): string {
  const { profile: labels, fixFields } = texts[context.language]
  const inputs = profileFields(labels, profile)
  const wrong = FIELDS.flatMap((name) => {
    const message = messageOf(labels, name, profile.errors[name])
    return message === undefined ? [] : [{ name, message }]
  })
  const shown = inputs.map((input) => ({
    name: input.name,
    markup: field({ ...input, focus: input.name === wrong[0]?.name }),
  }))
  const { foreigners, values } = profile
  const foreign = foreigners === 'refused' ? '' : foreignFields(context.language, { foreigners, values }, wrong)
  const markup = shown.map(({ name, markup: input }) => (name === 'tax_id' ? `${input}${foreign}` : input))
  const body = html`!${steps(labels.step(1, profile.steps), 1, profile.steps)}<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
!${wrong.length > 0 ? alert(fixFields, { fields: wrong }) : ''}
<form method="post" action="${ownHref('/complete-profile')}" novalidate>
!${hidden('flow', profile.flow)}
!${markup}
<div class="actions"><button class="button" type="submit">${labels.submit}</button>!${profile.canSkip ? skip(labels) : ''}</div>
</form>`
  return layout(context, { title: labels.title, body, problem: wrong.length > 0 })
}

function skip(labels: Texts['profile']): string {
  return html`<button class="button button-secondary" type="submit" name="profile_skip" value="1">${labels.skip}</button><p class="hint">${labels.skipHint}</p>`
}

const FIELDS = ['full_name', 'tax_id', 'document_country', 'document_number', 'company_name', 'phone'] as const

function profileFields(labels: Texts['profile'], { values, errors, asked, foreigners }: ProfilePage): Field[] {
  const message = (name: ProfileField) => messageOf(labels, name, errors[name])
  const fullName: Field = {
    name: 'full_name',
    label: labels.fullName,
    value: values.fullName,
    autocomplete: 'name',
    traits: 'autocapitalize="words" spellcheck="false"',
    error: message('full_name'),
  }
  const taxId: Field = {
    name: 'tax_id',
    shape: 'tax_id',
    label: labels.taxId,
    value: values.taxId,
    autocomplete: 'off',
    traits: 'autocapitalize="characters" spellcheck="false"',
    hint: labels.taxIdHint,
    optional: foreigners === 'refused' ? undefined : labels.taxIdWhen,
    error: message('tax_id'),
  }
  const companyName: Field = {
    name: 'company_name',
    label: labels.companyName,
    value: values.companyName,
    autocomplete: 'organization',
    optional: asked.company === 'always' ? undefined : labels.companyNameWhen,
    error: message('company_name'),
  }
  return [
    fullName,
    ...(asked.taxId ? [taxId] : []),
    ...(asked.company === 'no' ? [] : [companyName]),
    ...(asked.phone ? [phoneField(labels, values.phone, message('phone'))] : []),
  ]
}

function phoneField(labels: Texts['profile'], value: string | undefined, error: string | undefined): Field {
  const { phone: label, phoneHint: hint } = labels
  return { name: 'phone', shape: 'phone', label, type: 'tel', value, autocomplete: 'tel', hint, error }
}

/** `unusable` and `too_many_tries` concern a tax id: it belongs to another account, or too many were tried today. */
function messageOf(labels: Texts['profile'], name: ProfileField, error: ProfileError | undefined): string | undefined {
  if (error === undefined) return undefined
  if (error === 'unusable') return labels.unusable
  if (error === 'too_many_tries') return labels.tooManyTries
  return labels.errors[name][error]
}
