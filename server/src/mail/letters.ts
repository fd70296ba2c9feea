import type { Language } from '../http/index.ts'
import type { Letter } from './letter.ts'
import { checkedAddress, checkedUrl, greetableName, plain } from './plain.ts'
import { texts } from './texts.ts'
import { inWords, lasting } from './times.ts'

interface Named {
  /** The person's name, or empty. It greets them only if it looks like a name. */
  name: string
}

interface CodeAndLink extends Named {
  code: string
  /** Leads to a page with a button; opening it changes nothing. */
  url: string
  minutes: number
}

/** What a person did where: `when` in ms, `device` in words. */
interface Whereabouts extends Named {
  when: number
  device: string
  ip: string
}

/** Every kind of mail, and what it needs to know. */
export interface MailData {
  confirm_address: CodeAndLink
  account_exists: Named & { signInUrl: string; recoverUrl: string }
  reset_password: Named & { url: string; minutes: number }
  password_changed: Whereabouts & { recoverUrl: string }
  confirm_new_address: Named & { url: string; minutes: number }
  address_changed: Named & { newAddress: string; notMeUrl: string }
  new_device: Whereabouts & { notMeUrl: string }
  invitation: Named & { url: string; days: number }
  identity_linked: Named & { provider: string; notMeUrl: string }
  account_taken_over: Named & { provider: string }
}

export type MailKind = keyof MailData

export const letters: { readonly [Kind in MailKind]: (data: MailData[Kind], language: Language) => Letter } = {
  confirm_address: (data, language) => {
    const words = texts[language].confirm_address
    return {
      ...frame(words, data, language),
      paragraphs: [words.lead],
      code: plain(data.code),
      action: { lead: words.orButton, label: words.button, url: checkedUrl(data.url) },
      closing: [words.validity(lasting(data.minutes, 'minute', language)), words.notYou],
    }
  },
  confirm_new_address: (data, language) => {
    const words = texts[language].confirm_new_address
    return {
      ...frame(words, data, language),
      paragraphs: [words.lead],
      action: { label: words.button, url: checkedUrl(data.url) },
      closing: [words.validity(lasting(data.minutes, 'minute', language)), words.notYou],
    }
  },
  account_exists: (data, language) => {
    const words = texts[language].account_exists
    return {
      ...frame(words, data, language),
      paragraphs: [words.lead],
      action: { label: words.button, url: checkedUrl(data.signInUrl) },
      otherAction: { lead: words.orRecover, label: words.recover, url: checkedUrl(data.recoverUrl) },
      closing: [words.notYou],
    }
  },
  reset_password: (data, language) => {
    const words = texts[language].reset_password
    return {
      ...frame(words, data, language),
      paragraphs: [words.lead],
      action: { label: words.button, url: checkedUrl(data.url) },
      closing: [words.validity(lasting(data.minutes, 'minute', language)), words.notYou],
    }
  },
  invitation: (data, language) => {
    const words = texts[language].invitation
    return {
      ...frame(words, data, language),
      paragraphs: [words.lead],
      action: { label: words.button, url: checkedUrl(data.url) },
      closing: [words.validity(lasting(data.days, 'day', language)), words.notYou],
    }
  },
  password_changed: (data, language) => warning('password_changed', data, data.recoverUrl, whereabouts(data, language), language),
  new_device: (data, language) => warning('new_device', data, data.notMeUrl, whereabouts(data, language), language),
  address_changed: (data, language) => {
    const facts = [{ label: texts[language].facts.newAddress, value: checkedAddress(data.newAddress) }]
    return warning('address_changed', data, data.notMeUrl, facts, language)
  },
  identity_linked: (data, language) => {
    const words = texts[language].identity_linked
    return {
      ...frame(words, data, language),
      paragraphs: [words.lead(plain(data.provider))],
      action: { lead: words.notYou, label: words.button, url: checkedUrl(data.notMeUrl) },
      closing: [],
    }
  },
  account_taken_over: (data, language) => {
    const words = texts[language].account_taken_over
    const provider = plain(data.provider)
    return { ...frame(words, data, language), paragraphs: [words.lead(provider), words.removed, words.nextTime(provider)], closing: [] }
  },
}

/** Tells of something done to the account, and offers the way out to whoever did not do it. */
function warning(
  kind: 'password_changed' | 'new_device' | 'address_changed',
  data: Named,
  url: string,
  facts: NonNullable<Letter['facts']>,
  language: Language,
): Letter {
  const words = texts[language][kind]
  return {
    ...frame(words, data, language),
    paragraphs: [words.lead],
    facts,
    action: { lead: words.notYou, label: words.button, url: checkedUrl(url) },
    closing: [],
  }
}

function whereabouts({ when, device, ip }: Whereabouts, language: Language): NonNullable<Letter['facts']> {
  const labels = texts[language].facts
  return [
    { label: labels.when, value: inWords(when, language) },
    { label: labels.device, value: plain(device) },
    { label: labels.ip, value: plain(ip) },
  ]
}

function frame({ subject, title, why }: { subject: string; title: string; why: string }, { name }: Named, language: Language) {
  const greetable = greetableName(name)
  const greeting = greetable === undefined ? texts[language].greetingUnnamed : texts[language].greeting(greetable)
  return { subject, title, why, greeting }
}
