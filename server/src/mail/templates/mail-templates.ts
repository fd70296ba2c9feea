import type { Language } from '../../pages/index.ts'
import { texts } from '../texts.ts'
import type { MailTemplate } from './mail-template.ts'
import { checkedAddress, checkedUrl, greetableName, plain } from './plain.ts'
import { formatMoment, lasting } from './times.ts'

interface Named {
  /** The user's name, or empty. The mail greets by it only if it looks like a name. */
  name: string
}

interface CodeAndLink extends Named {
  code: string
  /** Leads to a page with a button; opening it changes nothing. */
  url: string
  minutes: number
}

/** The circumstances of a user's action: `when` in ms, `device` in words. */
interface Whereabouts extends Named {
  when: number
  device: string
  ip: string
}

/** Every kind of mail, with its data. */
export interface MailData {
  confirm_address: CodeAndLink
  account_exists: Named & { signInUrl: string; recoverUrl: string }
  reset_password: Named & { url: string; minutes: number }
  /** `passkeys` is the account's number of passkeys: a new password leaves them as they are. */
  password_changed: Whereabouts & { recoverUrl: string; passkeys: number }
  passkey_added: Whereabouts & { reportUrl: string }
  passkey_removed: Whereabouts & { reportUrl: string }
  second_factor_on: Whereabouts & { reportUrl: string }
  second_factor_off: Whereabouts & { reportUrl: string }
  recovery_codes_renewed: Whereabouts & { reportUrl: string }
  /** By the operator, for a user who has lost all factors. */
  factors_removed: Named & { when: number; reportUrl: string }
  /** `left` recovery codes are still good. */
  recovery_code_used: Whereabouts & { left: number; reportUrl: string }
  confirm_new_address: Named & { url: string; minutes: number }
  address_changed: Named & { newAddress: string; reportUrl: string }
  new_device: Whereabouts & { reportUrl: string }
  invitation: Named & { url: string; days: number }
  /** `url`: the console's. */
  role_given: Named & { role: 'owner' | 'support' | 'viewer'; url: string }
  identity_linked: Named & { provider: string; reportUrl: string }
  identity_unlinked: Whereabouts & { provider: string; reportUrl: string }
  account_claimed: Named & { provider: string }
  /** An administrator impersonates the user: from when until when, in ms, and why, in the administrator's words. */
  impersonated: Named & { when: number; until: number; reason: string }
  /** `dueAt`: when the data goes, in ms. */
  deletion_requested: Named & { dueAt: number; undoUrl: string; days: number }
  /** The last mail: no link is left to offer. */
  account_deleted: Named
}

export type MailKind = keyof MailData

export const mailTemplates: { readonly [Kind in MailKind]: (data: MailData[Kind], language: Language) => MailTemplate } = {
  confirm_address: (data, language) => {
    const labels = texts[language].confirm_address
    return {
      ...frame(labels, data, language),
      paragraphs: [labels.lead],
      code: plain(data.code),
      action: { lead: labels.orButton, label: labels.button, url: checkedUrl(data.url) },
      closing: [labels.validity(lasting(data.minutes, 'minute', language)), labels.notYou],
    }
  },
  confirm_new_address: (data, language) => {
    const labels = texts[language].confirm_new_address
    return {
      ...frame(labels, data, language),
      paragraphs: [labels.lead],
      action: { label: labels.button, url: checkedUrl(data.url) },
      closing: [labels.validity(lasting(data.minutes, 'minute', language)), labels.notYou],
    }
  },
  account_exists: (data, language) => {
    const labels = texts[language].account_exists
    return {
      ...frame(labels, data, language),
      paragraphs: [labels.lead],
      action: { label: labels.button, url: checkedUrl(data.signInUrl) },
      otherAction: { lead: labels.orRecover, label: labels.recover, url: checkedUrl(data.recoverUrl) },
      closing: [labels.notYou],
    }
  },
  reset_password: (data, language) => {
    const labels = texts[language].reset_password
    return {
      ...frame(labels, data, language),
      paragraphs: [labels.lead],
      action: { label: labels.button, url: checkedUrl(data.url) },
      closing: [labels.validity(lasting(data.minutes, 'minute', language)), labels.notYou],
    }
  },
  invitation: (data, language) => {
    const labels = texts[language].invitation
    return {
      ...frame(labels, data, language),
      paragraphs: [labels.lead],
      action: { label: labels.button, url: checkedUrl(data.url) },
      closing: [labels.validity(lasting(data.days, 'day', language)), labels.notYou],
    }
  },
  role_given: (data, language) => {
    const labels = texts[language].role_given
    return {
      ...frame(labels, data, language),
      paragraphs: [labels.lead[data.role], labels.secondFactor],
      action: { label: labels.button, url: checkedUrl(data.url) },
      closing: [labels.notYou],
    }
  },
  password_changed: (data, language) => {
    const template = warning('password_changed', data, data.recoverUrl, whereabouts(data, language), language)
    return data.passkeys === 0 ? template : { ...template, closing: [texts[language].password_changed.passkeysStay] }
  },
  passkey_added: (data, language) => warning('passkey_added', data, data.reportUrl, whereabouts(data, language), language),
  passkey_removed: (data, language) => warning('passkey_removed', data, data.reportUrl, whereabouts(data, language), language),
  second_factor_on: (data, language) => warning('second_factor_on', data, data.reportUrl, whereabouts(data, language), language),
  second_factor_off: (data, language) => warning('second_factor_off', data, data.reportUrl, whereabouts(data, language), language),
  recovery_codes_renewed: (data, language) =>
    warning('recovery_codes_renewed', data, data.reportUrl, whereabouts(data, language), language),
  factors_removed: (data, language) => warning('factors_removed', data, data.reportUrl, whereabouts(data, language), language),
  recovery_code_used: (data, language) => {
    const facts = [...whereabouts(data, language), { label: texts[language].facts.codesLeft, value: String(data.left) }]
    return warning('recovery_code_used', data, data.reportUrl, facts, language)
  },
  new_device: (data, language) => warning('new_device', data, data.reportUrl, whereabouts(data, language), language),
  address_changed: (data, language) => {
    const facts = [{ label: texts[language].facts.newAddress, value: checkedAddress(data.newAddress) }]
    return warning('address_changed', data, data.reportUrl, facts, language)
  },
  identity_linked: (data, language) => {
    const labels = texts[language].identity_linked
    return {
      ...frame(labels, data, language),
      paragraphs: [labels.lead(plain(data.provider))],
      action: { lead: labels.notYou, label: labels.button, url: checkedUrl(data.reportUrl) },
      closing: [],
    }
  },
  identity_unlinked: (data, language) => {
    const labels = texts[language].identity_unlinked
    return {
      ...frame(labels, data, language),
      paragraphs: [labels.lead(plain(data.provider))],
      facts: whereabouts(data, language),
      action: { lead: labels.notYou, label: labels.button, url: checkedUrl(data.reportUrl) },
      closing: [],
    }
  },
  account_claimed: (data, language) => {
    const labels = texts[language].account_claimed
    const provider = plain(data.provider)
    return { ...frame(labels, data, language), paragraphs: [labels.lead(provider), labels.removed, labels.nextTime(provider)], closing: [] }
  },
  impersonated: (data, language) => {
    const { impersonated: labels, facts: names } = texts[language]
    const facts = [
      { label: names.when, value: formatMoment(data.when, language) },
      { label: names.until, value: formatMoment(data.until, language) },
      { label: names.reason, value: plain(data.reason) },
    ]
    return { ...frame(labels, data, language), paragraphs: [labels.lead, labels.limits], facts, closing: [labels.notYou] }
  },
  deletion_requested: (data, language) => {
    const labels = texts[language].deletion_requested
    return {
      ...frame(labels, data, language),
      paragraphs: [labels.lead, labels.due(formatMoment(data.dueAt, language))],
      action: { lead: labels.changedMind, label: labels.button, url: checkedUrl(data.undoUrl) },
      closing: [labels.validity(lasting(data.days, 'day', language)), labels.notYou],
    }
  },
  account_deleted: (data, language) => {
    const labels = texts[language].account_deleted
    return { ...frame(labels, data, language), paragraphs: [labels.lead, labels.kept, labels.last], closing: [] }
  },
}

/** Reports a change of the account, with a link for a user who did not make it. */
function warning(
  kind:
    | 'password_changed'
    | 'new_device'
    | 'address_changed'
    | 'passkey_added'
    | 'passkey_removed'
    | 'second_factor_on'
    | 'second_factor_off'
    | 'recovery_codes_renewed'
    | 'factors_removed'
    | 'recovery_code_used',
  data: Named,
  url: string,
  facts: NonNullable<MailTemplate['facts']>,
  language: Language,
): MailTemplate {
  const labels = texts[language][kind]
  return {
    ...frame(labels, data, language),
    paragraphs: [labels.lead],
    facts,
    action: { lead: labels.notYou, label: labels.button, url: checkedUrl(url) },
    closing: [],
  }
}

function whereabouts(
  { when, device, ip }: { when: number; device?: string; ip?: string },
  language: Language,
): NonNullable<MailTemplate['facts']> {
  const labels = texts[language].facts
  return [
    { label: labels.when, value: formatMoment(when, language) },
    ...(device === undefined ? [] : [{ label: labels.device, value: plain(device) }]),
    ...(ip === undefined ? [] : [{ label: labels.ip, value: plain(ip) }]),
  ]
}

function frame({ subject, title, why }: { subject: string; title: string; why: string }, { name }: Named, language: Language) {
  const greetable = greetableName(name)
  const greeting = greetable === undefined ? texts[language].greetingUnnamed : texts[language].greeting(greetable)
  return { subject, title, why, greeting }
}
