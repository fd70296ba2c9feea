import { frame, type Templates, warning, whereabouts } from './frame.ts'
import { checkedAddress, plain } from './plain.ts'
import { formatMoment } from './times.ts'

export const securityTemplates: Templates<
  | 'password_changed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'second_factor_on'
  | 'second_factor_off'
  | 'recovery_codes_renewed'
  | 'factors_removed'
  | 'recovery_code_used'
  | 'new_device'
  | 'address_changed'
  | 'tax_id_corrected'
  | 'tax_id_changed_by_support'
  | 'impersonated'
> = {
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
  impersonated: (data, voice) => {
    const { impersonated: labels, facts: names } = voice.labels
    const facts = [
      { label: names.when, value: formatMoment(data.when, voice) },
      { label: names.until, value: formatMoment(data.until, voice) },
      { label: names.reason, value: plain(data.reason) },
    ]
    return { ...frame(labels, data, voice), paragraphs: [labels.lead, labels.limits], facts, closing: [labels.notYou] }
  },
}
