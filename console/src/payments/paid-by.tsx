import { useLocale } from 'react-admin'
import { localeOf } from '../i18n/locales.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { formatPaid } from '../kit/show/formats.ts'
import { Absent } from '../kit/show/values.tsx'
import { labelOf } from './label-of.ts'
import { paymentTexts } from './payment-texts.ts'

interface Payment {
  amount: number | null
  foreign_amount: string | null
  method: string | null
}

/** The amount and the means of a payment, as `R$ 39,90, Cartão`. One that is not known is left out. */
export function PaidBy({ payment }: { payment: Payment }) {
  const { methods } = useTexts(paymentTexts)
  const locale = localeOf(useLocale())
  const parts = [formatPaid(payment, locale), payment.method && labelOf(methods, payment.method)].filter((part) => part)
  return parts.length === 0 ? <Absent /> : parts.join(', ')
}
