import { html } from 'ghtml'
import {
  alert,
  avatar,
  field,
  fieldError,
  hidden,
  notice,
  ownHref,
  type PageContext,
  pictureScript,
  type Texts,
  texts,
} from '../../pages/index.ts'
import type { PictureRefusal, ProfileErrors } from '../../users/index.ts'
import { accountLayout, details, foot, formatPhone, plain } from '../components.ts'

export type Saved = 'profile' | 'picture' | 'no_picture'

interface OwnProfilePage {
  values: { name: string; phone: string | undefined; companyName: string | undefined }
  /** The path of the user's own picture. */
  picture: string | undefined
  version: string
  errors: ProfileErrors
  pictureError?: PictureRefusal | undefined
  saved?: Saved | undefined
  /** Another tab has saved since the page was opened: what is stored now. */
  storedNow?: OwnProfilePage['values'] | undefined
}

const FIELDS = ['full_name', 'phone', 'company_name'] as const

/** A user's own data, posted to `/account/profile`, and their picture, to the pages below it. */
export function ownProfilePage(context: PageContext, shown: OwnProfilePage): string {
  const { language } = context
  const { ownProfile: labels, profile, fixFields } = texts[language]
  const { errors, pictureError, storedNow } = shown
  const wrong = FIELDS.flatMap((name) => {
    const error = errors[name]
    return error === undefined || error === 'unusable' || error === 'too_many_tries' ? [] : [{ name, message: profile.errors[name][error] }]
  })
  const isWrong = wrong.length > 0 || pictureError !== undefined || storedNow !== undefined
  const pictureMessage = pictureError && labels.pictureErrors[pictureError]
  const faults = pictureMessage ? [{ name: 'picture', message: pictureMessage }] : wrong
  const body = html`<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
!${saidOf(labels, shown.saved)}!${faults.length > 0 ? alert(fixFields, { fields: faults }) : ''}!${storedNow ? meanwhile(labels, storedNow) : ''}
<form method="post" action="${ownHref('/account/profile')}" novalidate>
!${hidden('version', shown.version)}
!${profileFields(texts[language], shown, wrong)}
<button class="button" type="submit">${labels.submit}</button>
</form>
!${pictureForms(context, shown, pictureMessage)}
!${foot(context)}`
  return accountLayout(context, { title: labels.title, body, problem: isWrong, script: ownHref(pictureScript.path) })
}

function saidOf(labels: Texts['ownProfile'], saved: Saved | undefined): string {
  if (saved === undefined) return ''
  const heading = { profile: labels.saved, picture: labels.pictureSaved, no_picture: labels.pictureRemoved }[saved]
  return notice(heading, labels.savedAdvice)
}

function meanwhile(labels: Texts['ownProfile'], { name, phone, companyName }: OwnProfilePage['values']): string {
  const stored = [name, phone && formatPhone(phone), companyName].filter((text) => text !== undefined).join(' · ')
  return html`!${alert(labels.changedMeanwhile, { advice: labels.changedMeanwhileAdvice })}
!${details([{ label: labels.storedNow, value: plain(stored) }])}`
}

function profileFields(
  { profile, ownProfile: labels }: Texts,
  { values }: OwnProfilePage,
  wrong: ReadonlyArray<{ name: string; message: string }>,
): string {
  const errorOf = (name: string) => wrong.find((one) => one.name === name)?.message
  const common = (name: string) => ({ name, error: errorOf(name), focus: wrong[0]?.name === name })
  const name = field({
    ...common('full_name'),
    label: profile.fullName,
    value: values.name,
    autocomplete: 'name',
    traits: 'autocapitalize="words" spellcheck="false"',
  })
  const phone = field({
    ...common('phone'),
    label: labels.phone,
    type: 'tel',
    shape: 'phone',
    value: values.phone && formatPhone(values.phone),
    autocomplete: 'tel',
    hint: profile.phoneHint,
    optional: labels.optional,
  })
  const company = field({
    ...common('company_name'),
    label: labels.company,
    value: values.companyName,
    autocomplete: 'organization',
    optional: labels.optional,
  })
  return html`!${name}!${phone}!${company}`
}

/** A picture is sent by a form of its own, and works without a script: a PNG as it is. With one, any picture is made small first. */
function pictureForms({ language }: PageContext, { values, picture }: OwnProfilePage, error: string | undefined): string {
  const { ownProfile: labels } = texts[language]
  const described = error ? 'picture-hint picture-error' : 'picture-hint'
  const remove = html`<form method="post" action="${ownHref('/account/profile/picture/remove')}"><button class="button button-secondary" type="submit">${labels.removePicture}</button></form>`
  return html`<h2 class="section" id="picture-heading">${labels.picture}</h2>
<div class="portrait" data-portrait>!${avatar({ name: values.name, picture })}!${picture === undefined ? html`<p class="hint">${labels.pictureLead}</p>` : ''}</div>
<form method="post" action="${ownHref('/account/profile/picture')}" enctype="multipart/form-data" novalidate>
<div class="field file"><label class="button button-secondary" for="picture">${labels.choosePicture}</label>
<input id="picture" name="picture" type="file" accept="image/png" required aria-describedby="${described}" !${error ? 'aria-invalid="true"' : ''} data-any="${labels.pictureAny}">
<p class="hint" id="picture-hint">${labels.pictureHint}</p>!${error ? fieldError('picture', error) : ''}</div>
<button class="button button-secondary" type="submit">${labels.sendPicture}</button>
</form>
!${picture === undefined ? '' : remove}`
}
