import type { Locale } from '../../i18n/locales.ts'
import { dayOf } from '../../kit/days.ts'
import { formatPaid } from '../../kit/show/formats.ts'
import { labelOf } from '../../payments/label-of.ts'
import { paymentTexts } from '../../payments/payment-texts.ts'
import type { PurchaseAccess } from './access.ts'
import { accessTexts } from './access-texts.ts'

/** The reader of a sentence. `zone`: the operator's. */
interface Reader {
  locale: Locale
  zone: string
  now?: Date
}

/** The facts of a sentence about a reason. Days are written out, and absent where the service knows none. */
export interface ReasonFacts {
  event: string | null
  byOperator: boolean
  /** The day of the event. */
  day: string | undefined
  /** The last day that is paid. */
  end: string | undefined
  /** The day on which grace ends. */
  grace: string | undefined
}

/** A sentence about a purchase and why it gives access, or none: `Annual club, R$ 399,00, card, refunded on Nov 16`. */
export function accessSentence(purchase: PurchaseAccess, reader: Reader): string {
  const { locale } = reader
  const { plan_name, plan_slug, amount, method, reason, event, by_operator, event_at, current_period_end, grace_until } = purchase
  const texts = accessTexts[locale]
  const day = (iso: string | null) => (iso === null ? undefined : formatShortDay(iso, reader))
  const facts = { event, byOperator: by_operator, day: day(event_at), end: day(current_period_end), grace: day(grace_until) }
  const said = [
    plan_name ?? plan_slug ?? texts.noPlan,
    amount === 0 ? undefined : formatPaid(purchase, locale),
    method === null ? undefined : nameOfMethod(method, locale),
    texts.reasons[reason]?.(facts) ?? reason,
  ]
  return said.filter((part) => part !== undefined).join(', ')
}

/** Pix is a name; the others are words of the sentence. */
function nameOfMethod(method: string, locale: Locale): string {
  const label = labelOf(paymentTexts[locale].methods, method)
  return method === 'pix' ? label : label.toLowerCase()
}

/** When what was paid or given ends, where the sentence does not say it, and the money is neither back nor in dispute; else `null`. */
export function unsaidEnd({ reason, event, amount, foreign_amount, current_period_end }: PurchaseAccess): string | null {
  const isSaid = reason === 'paid_until_period_end' || (event === null && (reason === 'in_grace' || reason === 'expired'))
  const isPaid = reason === 'paid' || (amount ?? 0) > 0 || foreign_amount !== null
  return isSaid || !isPaid || reason === 'refunded' || reason === 'disputed' ? null : current_period_end
}

/** A day of the operator's zone, with its year where that is not this one. */
function formatShortDay(iso: string, { locale, zone, now = new Date() }: Reader): string {
  const isThisYear = dayOf(iso, zone).slice(0, 4) === dayOf(now.toISOString(), zone).slice(0, 4)
  const year = isThisYear ? {} : ({ year: 'numeric' } as const)
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', ...year, timeZone: zone }).format(new Date(iso))
}
