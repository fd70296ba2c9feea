import { html } from 'ghtml'
import { layout, ownHref, type PageContext } from '../http/index.ts'
import { alert, type Field, field, hidden, steps } from './parts-of-page.ts'
import { type Texts, texts } from './texts.ts'

export type ProfileField = 'full_name' | 'tax_id' | 'phone' | 'company_name'

/** `unusable` and `too_many_tries` are about the tax id: it belongs to another account, or too many were tried today. */
export type ProfileError = 'required' | 'invalid' | 'too_long' | 'unusable' | 'too_many_tries'

/** `values` is what was typed or is known already, untouched. `steps` is 2 where the NDA follows. */
interface ProfilePage {
  flow: string
  values: { fullName?: string | undefined; taxId?: string | undefined; phone?: string | undefined; companyName?: string | undefined }
  errors: Partial<Record<ProfileField, ProfileError>>
  askPhone: 'required' | 'optional' | 'no'
  steps: 1 | 2
}

/** Step 1 of completing the profile, posted to `/complete-profile`. The server checks, so that every message is in our words. */
export function profilePage(context: PageContext, profile: ProfilePage): string {
  const { profile: words, fixFields } = texts[context.language]
  const inputs = profileFields(texts[context.language], profile)
  const wrong = inputs.filter((input) => input.error !== undefined)
  const summary = wrong.map(({ name, error = '' }) => ({ name, message: error }))
  const body = html`!${steps(words.step(1, profile.steps), 1, profile.steps)}<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
!${wrong.length > 0 ? alert(fixFields, { fields: summary }) : ''}
<form method="post" action="${ownHref('/complete-profile')}" novalidate>
!${hidden('flow', profile.flow)}
!${inputs.map((input) => field({ ...input, focus: input === wrong[0] }))}
<button class="button" type="submit">${words.submit}</button>
</form>`
  return layout(context, { title: words.title, body, problem: wrong.length > 0 })
}

function profileFields({ profile: words, optional }: Texts, { values, errors, askPhone }: ProfilePage): Field[] {
  const message = (name: ProfileField) => messageOf(words, name, errors[name])
  const fullName: Field = {
    name: 'full_name',
    label: words.fullName,
    value: values.fullName,
    autocomplete: 'name',
    traits: 'autocapitalize="words" spellcheck="false"',
    error: message('full_name'),
  }
  const taxId: Field = {
    name: 'tax_id',
    label: words.taxId,
    value: values.taxId,
    autocomplete: 'off',
    traits: 'autocapitalize="characters" spellcheck="false"',
    hint: words.taxIdHint,
    error: message('tax_id'),
  }
  const companyName: Field = {
    name: 'company_name',
    label: words.companyName,
    value: values.companyName,
    autocomplete: 'organization',
    optional: words.companyNameWhen,
    error: message('company_name'),
  }
  const phone: Field = {
    name: 'phone',
    label: words.phone,
    type: 'tel',
    value: values.phone,
    autocomplete: 'tel',
    hint: words.phoneHint,
    optional: askPhone === 'optional' ? optional : undefined,
    error: message('phone'),
  }
  return askPhone === 'no' ? [fullName, taxId, companyName] : [fullName, taxId, companyName, phone]
}

function messageOf(words: Texts['profile'], name: ProfileField, error: ProfileError | undefined): string | undefined {
  if (error === undefined) return undefined
  if (error === 'unusable') return words.unusable
  if (error === 'too_many_tries') return words.tooManyTries
  return words.errors[name][error]
}
