import type { Voice } from '../texts.ts'
import type { FailedEndpoint, MailData, MailKind, Named } from './mail-data.ts'
import type { MailTemplate } from './mail-template.ts'
import { checkedUrl, greetableName, plain } from './plain.ts'
import { formatMoment } from './times.ts'

export type Templates<Kinds extends MailKind> = { readonly [Kind in Kinds]: (data: MailData[Kind], voice: Voice) => MailTemplate }

/** Reports a change of the account, with a link for a user who did not make it. */
export function warning(
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

export function failures({ endpoint, product, since, answer }: FailedEndpoint, voice: Voice): NonNullable<MailTemplate['facts']> {
  const labels = voice.labels.facts
  return [
    { label: labels.endpoint, value: plain(endpoint) },
    ...(product === undefined ? [] : [{ label: labels.product, value: plain(product) }]),
    { label: labels.since, value: formatMoment(since, voice) },
    { label: labels.lastAnswer, value: plain(answer) },
  ]
}

export function whereabouts(
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

export function frame({ subject, title, why }: { subject: string; title: string; why: string }, { name }: Named, voice: Voice) {
  const greetable = greetableName(name)
  const greeting = greetable === undefined ? voice.labels.greetingUnnamed : voice.labels.greeting(greetable)
  return { subject, title, why, greeting }
}
