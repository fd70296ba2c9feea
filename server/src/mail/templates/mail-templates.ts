import { administratorTemplates } from './administrator-templates.ts'
import { frame, type Templates, whereabouts } from './frame.ts'
import type { MailKind } from './mail-data.ts'
import { mailboxTemplates } from './mailbox-templates.ts'
import { checkedUrl, plain } from './plain.ts'
import { securityTemplates } from './security-templates.ts'
import { formatMoment, lasting } from './times.ts'

export const mailTemplates: Templates<MailKind> = {
  ...mailboxTemplates,
  ...administratorTemplates,
  ...securityTemplates,
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
