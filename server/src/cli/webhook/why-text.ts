import { AWAITS_PURCHASE, type NotificationStatus } from '../../notifications/index.ts'
import type { AmountMismatch } from '../../payment-history/index.ts'
import { reais } from '../command/money.ts'

/** Only differences are shown. */
export function amountsText({ paid, price }: AmountMismatch): string {
  return `${reais(paid)} paid, price ${reais(price)}`
}

/** Why it has its status. One ignored for its unknown payment is processed once that is known. */
export function whyText(status: NotificationStatus, why: string): string {
  if (why === AWAITS_PURCHASE) return 'kept until its purchase is known'
  if (status === 'refused') return why // names of fields are kept as they are
  return status === 'ignored' && why === 'unknown_payment' ? 'until its payment is known' : why.replaceAll('_', ' ')
}
