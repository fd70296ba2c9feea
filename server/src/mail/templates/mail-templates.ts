import type { Voice } from '../texts.ts'
import type { FailedEndpoint, MailData, MailKind, Named } from './mail-data.ts'
import type { MailTemplate } from './mail-template.ts'
import { checkedAddress, checkedUrl, greetableName, plain } from './plain.ts'
import { formatMoment, lasting } from './times.ts'

export const mailTemplates: { readonly [Kind in MailKind]: (data: MailData[Kind], voice: Voice) => MailTemplate } = {
  confirm_address: (data, voice) => {
    const labels = voice.labels.confirm_address
    return {
      ...frame(labels, data, voice),
      paragraphs: [labels.lead],
      code: plain(data.code),
      action: { lead: labels.orButton, label: labels.button, url: checkedUrl(data.url) },
      closing: [labels.validity(lasting(data.minutes, 'minute', voice)), labels.notYou],
    }
  },
  confirm_new_address: (data, voice) => {
    const labels = voice.labels.confirm_new_address
    return {
      ...frame(labels, data, voice),
      paragraphs: [labels.lead],
      action: { label: labels.button, url: checkedUrl(data.url) },
      closing: [labels.validity(lasting(data.minutes, 'minute', voice)), labels.notYou],
    }
  },
  account_exists: (data, voice) => {
    const labels = voice.labels.account_exists
    return {
      ...frame(labels, data, voice),
      paragraphs: [labels.lead],
      action: { label: labels.button, url: checkedUrl(data.signInUrl) },
      otherAction: { lead: labels.orRecover, label: labels.recover, url: checkedUrl(data.recoverUrl) },
      closing: [labels.notYou],
    }
  },
  reset_password: (data, voice) => {
    const labels = voice.labels.reset_password
    return {
      ...frame(labels, data, voice),
      paragraphs: [labels.lead],
      action: { label: labels.button, url: checkedUrl(data.url) },
      closing: [labels.validity(lasting(data.minutes, 'minute', voice)), labels.notYou],
    }
  },
  invitation: (data, voice) => {
    const labels = voice.labels.invitation
    return {
      ...frame(labels, data, voice),
      paragraphs: [labels.lead],
      action: { label: labels.button, url: checkedUrl(data.url) },
      closing: [labels.validity(lasting(data.days, 'day', voice)), labels.notYou],
    }
  },
  role_given: (data, voice) => {
    const labels = voice.labels.role_given
    return {
      ...frame(labels, data, voice),
      paragraphs: [labels.lead[data.role], labels.secondFactor],
      action: { label: labels.button, url: checkedUrl(data.url) },
      closing: [labels.notYou],
    }
  },
  endpoint_failing: (data, voice) => {
    const { endpoint_failing: labels, facts: names } = voice.labels
    const facts = [...failures(data, voice), { label: names.disablesAt, value: formatMoment(data.disablesAt, voice) }]
    const action = { label: labels.button, url: checkedUrl(data.url) }
    return { ...frame(labels, data, voice), paragraphs: [labels.lead], facts, action: { ...action, lead: labels.todo }, closing: [] }
  },
  endpoint_disabled: (data, voice) => {
    const labels = voice.labels.endpoint_disabled
    const action = { lead: labels.todo, label: labels.button, url: checkedUrl(data.url) }
    const facts = failures(data, voice)
    return { ...frame(labels, data, voice), paragraphs: [labels.lead[data.cause]], facts, action, closing: [] }
  },
  password_changed: (data, voice) => {
    const template = warning('password_changed', data, data.recoverUrl, whereabouts(data, voice), voice)
    return data.passkeys === 0 ? template : { ...template, closing: [voice.labels.password_changed.passkeysStay] }
  },
  passkey_added: (data, voice) => warning('passkey_added', data, data.reportUrl, whereabouts(data, voice), voice),
  passkey_removed: (data, voice) => warning('passkey_removed', data, data.reportUrl, whereabouts(data, voice), voice),
  second_factor_on: (data, voice) => warning('second_factor_on', data, data.reportUrl, whereabouts(data, voice), voice),
  second_factor_off: (data, voice) => warning('second_factor_off', data, data.reportUrl, whereabouts(data, voice), voice),
  recovery_codes_renewed: (data, voice) => warning('recovery_codes_renewed', data, data.reportUrl, whereabouts(data, voice), voice),
  factors_removed: (data, voice) => warning('factors_removed', data, data.reportUrl, whereabouts(data, voice), voice),
  recovery_code_used: (data, voice) => {
    const facts = [...whereabouts(data, voice), { label: voice.labels.facts.codesLeft, value: String(data.left) }]
    return warning('recovery_code_used', data, data.reportUrl, facts, voice)
  },
  new_device: (data, voice) => warning('new_device', data, data.reportUrl, whereabouts(data, voice), voice),
  address_changed: (data, voice) => {
    const facts = [{ label: voice.labels.facts.newAddress, value: checkedAddress(data.newAddress) }]
    return warning('address_changed', data, data.reportUrl, facts, voice)
  },
  tax_id_corrected: (data, voice) => {
    const facts = [{ label: voice.labels.tax_id_corrected.number, value: plain(data.taxId) }, ...whereabouts(data, voice)]
    return warning('tax_id_corrected', data, data.reportUrl, facts, voice)
  },
  tax_id_changed_by_support: (data, voice) => {
    const labels = voice.labels.tax_id_changed_by_support
    const number = { label: labels.number, value: data.taxId === undefined ? labels.removed : plain(data.taxId) }
    return warning('tax_id_changed_by_support', data, data.reportUrl, [number, ...whereabouts(data, voice)], voice)
  },
  identity_linked: (data, voice) => {
    const labels = voice.labels.identity_linked
    return {
      ...frame(labels, data, voice),
      paragraphs: [labels.lead(plain(data.provider))],
      action: { lead: labels.notYou, label: labels.button, url: checkedUrl(data.reportUrl) },
      closing: [],
    }
  },
  identity_unlinked: (data, voice) => {
    const labels = voice.labels.identity_unlinked
    return {
      ...frame(labels, data, voice),
      paragraphs: [labels.lead(plain(data.provider))],
      facts: whereabouts(data, voice),
      action: { lead: labels.notYou, label: labels.button, url: checkedUrl(data.reportUrl) },
      closing: [],
    }
  },
  account_claimed: (data, voice) => {
    const labels = voice.labels.account_claimed
    const provider = plain(data.provider)
    return { ...frame(labels, data, voice), paragraphs: [labels.lead(provider), labels.removed, labels.nextTime(provider)], closing: [] }
  },
  impersonated: (data, voice) => {
    const { impersonated: labels, facts: names } = voice.labels
    const facts = [
      { label: names.when, value: formatMoment(data.when, voice) },
      { label: names.until, value: formatMoment(data.until, voice) },
      { label: names.reason, value: plain(data.reason) },
    ]
    return { ...frame(labels, data, voice), paragraphs: [labels.lead, labels.limits], facts, closing: [labels.notYou] }
  },
  deletion_requested: (data, voice) => {
    const labels = voice.labels.deletion_requested
    return {
      ...frame(labels, data, voice),
      paragraphs: [labels.lead, labels.due(formatMoment(data.dueAt, voice))],
      action: { lead: labels.changedMind, label: labels.button, url: checkedUrl(data.undoUrl) },
      closing: [labels.validity(lasting(data.days, 'day', voice)), labels.notYou],
    }
  },
  account_deleted: (data, voice) => {
    const labels = voice.labels.account_deleted
    return { ...frame(labels, data, voice), paragraphs: [labels.lead, labels.kept, labels.last], closing: [] }
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
    | 'recovery_code_used'
    | 'tax_id_corrected'
    | 'tax_id_changed_by_support',
  data: Named,
  url: string,
  facts: NonNullable<MailTemplate['facts']>,
  voice: Voice,
): MailTemplate {
  const labels = voice.labels[kind]
  return {
    ...frame(labels, data, voice),
    paragraphs: [labels.lead],
    facts,
    action: { lead: labels.notYou, label: labels.button, url: checkedUrl(url) },
    closing: [],
  }
}

function failures({ endpoint, product, since, answer }: FailedEndpoint, voice: Voice): NonNullable<MailTemplate['facts']> {
  const labels = voice.labels.facts
  return [
    { label: labels.endpoint, value: plain(endpoint) },
    ...(product === undefined ? [] : [{ label: labels.product, value: plain(product) }]),
    { label: labels.since, value: formatMoment(since, voice) },
    { label: labels.lastAnswer, value: plain(answer) },
  ]
}

function whereabouts(
  { when, device, ip }: { when: number; device?: string; ip?: string },
  voice: Voice,
): NonNullable<MailTemplate['facts']> {
  const labels = voice.labels.facts
  return [
    { label: labels.when, value: formatMoment(when, voice) },
    ...(device === undefined ? [] : [{ label: labels.device, value: plain(device) }]),
    ...(ip === undefined ? [] : [{ label: labels.ip, value: plain(ip) }]),
  ]
}

function frame({ subject, title, why }: { subject: string; title: string; why: string }, { name }: Named, voice: Voice) {
  const greetable = greetableName(name)
  const greeting = greetable === undefined ? voice.labels.greetingUnnamed : voice.labels.greeting(greetable)
  return { subject, title, why, greeting }
}
