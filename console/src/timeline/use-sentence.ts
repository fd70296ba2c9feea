import { useLocale } from 'react-admin'
import { actionLabels } from '../audit/actions/action-labels.ts'
import { localeOf } from '../i18n/locales.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { formatPaid } from '../kit/show/formats.ts'
import { useProductName } from '../kit/use-product-name.ts'
import { AWAITS_PURCHASE } from '../notifications/notification.ts'
import { paymentTexts } from '../payments/payment-texts.ts'
import { deviceLabel } from '../sessions/device.ts'
import { amountsOf, labelOf, type TimelineEntry, textIn } from './entry.ts'
import { timelineTexts } from './texts.ts'

/** The event in a sentence, and further data. */
export interface Sentence {
  title: string
  more: string
  /** The actor. */
  actor?: string | undefined
}

/** Describes the event, in the language in use. */
export function useSentence(): (entry: TimelineEntry) => Sentence {
  const texts = useTexts(timelineTexts)
  const payments = useTexts(paymentTexts)
  const actions = useTexts(actionLabels)
  const locale = localeOf(useLocale())
  const productName = useProductName()
  const joined = (...parts: Array<string | undefined>) => parts.filter((part) => part !== undefined && part !== '').join(' · ')
  return (entry) => {
    const { kind, what } = entry
    const text = (name: string) => textIn(entry, name)
    const where = joined(deviceLabel(text('user_agent') ?? ''), text('ip'))
    const slug = text('product')
    const product = slug === undefined ? undefined : productName(slug)
    switch (kind) {
      case 'sign_in':
        return { title: product === undefined ? texts.signIn : texts.productSignIn(product), more: where }
      case 'session_end':
        return { title: texts.sessionEnd(labelOf(texts.ends, what)), more: joined(product, where) }
      case 'purchase': {
        const method = text('method')
        return {
          title: labelOf(payments.kinds, what),
          more: joined(text('plan'), formatPaid(amountsOf(entry), locale), method && labelOf(payments.methods, method)),
        }
      }
      case 'notification': {
        const title = texts.notification(labelOf(payments.sources, text('source') ?? ''))
        const state = text('why') === AWAITS_PURCHASE ? AWAITS_PURCHASE : (text('status') ?? '')
        return { title, more: joined(labelOf(payments.events, what), labelOf(texts.statuses, state)) }
      }
      case 'mail':
        return { title: texts.mail(labelOf(texts.mails, what)), more: '' }
      case 'change':
        return { title: labelOf(actions, what), more: labelOf(texts.ends, text('reason') ?? ''), actor: text('actor') }
    }
  }
}
