import type { Language } from '../../pages/index.ts'
import { texts } from '../texts.ts'
import type { FailedEndpoint, MailData, MailKind, Named } from './mail-data.ts'
import type { MailTemplate } from './mail-template.ts'
import { checkedAddress, checkedUrl, greetableName, plain } from './plain.ts'
import { formatMoment, lasting } from './times.ts'

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
  endpoint_failing: (data, language) => {
    const { endpoint_failing: labels, facts: names } = texts[language]
    const facts = [...failures(data, language), { label: names.disablesAt, value: formatMoment(data.disablesAt, language) }]
    const action = { label: labels.button, url: checkedUrl(data.url) }
    return { ...frame(labels, data, language), paragraphs: [labels.lead], facts, action: { ...action, lead: labels.todo }, closing: [] }
  },
  endpoint_disabled: (data, language) => {
    const labels = texts[language].endpoint_disabled
    const action = { lead: labels.todo, label: labels.button, url: checkedUrl(data.url) }
    const facts = failures(data, language)
    return { ...frame(labels, data, language), paragraphs: [labels.lead[data.cause]], facts, action, closing: [] }
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

function failures({ endpoint, product, since, answer }: FailedEndpoint, language: Language): NonNullable<MailTemplate['facts']> {
  const labels = texts[language].facts
  return [
    { label: labels.endpoint, value: plain(endpoint) },
    ...(product === undefined ? [] : [{ label: labels.product, value: plain(product) }]),
    { label: labels.since, value: formatMoment(since, language) },
    { label: labels.lastAnswer, value: plain(answer) },
  ]
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
