import { frame, type Templates } from './frame.ts'
import { checkedUrl, plain } from './plain.ts'
import { lasting } from './times.ts'

export const mailboxTemplates: Templates<'confirm_address' | 'confirm_new_address' | 'account_exists' | 'reset_password' | 'invitation'> = {
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
    const labels = data.isPresent ? voice.labels.confirm_own_address : voice.labels.confirm_new_address
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
}
