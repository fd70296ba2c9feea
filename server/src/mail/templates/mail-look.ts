import { type Language, type Look, pageTexts } from '../../pages/index.ts'

/** The look of a mail: that of pages, and whom it is from. */
export interface MailLook extends Look {
  /** The name beside the sender's address; without one it is that of `PORTARIA_MAIL_FROM`. */
  senderName?: string | undefined
  /** Where answers go; without it they are read by nobody. */
  replyTo?: string | undefined
}

/** The operator's addresses at the foot of a mail. */
export function footerLinks({ support, terms, privacy }: MailLook, language: Language): Array<{ label: string; href: string }> {
  const labels = pageTexts[language]
  return [
    ...(support ? [{ label: labels.support, href: support }] : []),
    ...(terms ? [{ label: labels.terms, href: terms }] : []),
    ...(privacy ? [{ label: labels.privacy, href: privacy }] : []),
  ]
}
