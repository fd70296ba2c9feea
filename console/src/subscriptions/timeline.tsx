import Receipt from '@mui/icons-material/ReceiptLongOutlined'
import { Link, Typography } from '@mui/material'
import { useLocale } from 'react-admin'
import { Link as RouterLink } from 'react-router-dom'
import { localeOf } from '../i18n/locales.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { formatPaid } from '../kit/show/formats.ts'
import { TimelineRow, TimelineRows } from '../kit/show/timeline-row.tsx'
import { Time } from '../kit/show/values.tsx'
import { usePlanName } from '../kit/use-plan-name.ts'
import { notificationPath } from '../notifications/notification.ts'
import { labelOf } from '../payments/label-of.ts'
import { paymentTexts } from '../payments/payment-texts.ts'
import type { PaymentEvent } from './subscription.ts'
import { subscriptionTexts } from './texts.ts'

/** All events of a subscription, the newest first, each with its notification. */
export function Timeline({ events, product }: { events: readonly PaymentEvent[]; product: string | null }) {
  const texts = useTexts(subscriptionTexts)
  if (events.length === 0) return <Typography color="textSecondary">{texts.noEvents}</Typography>
  return (
    <TimelineRows label={texts.timeline}>
      {events.toReversed().map((event) => (
        <Entry key={event.key} event={event} product={product} />
      ))}
    </TimelineRows>
  )
}

function Entry({ event, product }: { event: PaymentEvent; product: string | null }) {
  const texts = useTexts(subscriptionTexts)
  const { kinds, methods } = useTexts(paymentTexts)
  const planName = usePlanName()
  const { at, kind, key, plan_slug, payment_id, method, period_end, notification_id } = event
  const paid = formatPaid(event, localeOf(useLocale()))
  const details = [
    key.startsWith('operator:') ? texts.byOperator : undefined,
    plan_slug === null ? undefined : planName(plan_slug, product),
    method === null ? undefined : labelOf(methods, method),
    // Purchases have no payment of their own: there it is the notification's key.
    payment_id === null || payment_id === key ? undefined : texts.payment(payment_id),
  ].filter((detail) => detail !== undefined)
  return (
    <TimelineRow icon={Receipt} title={paid === undefined ? labelOf(kinds, kind) : `${labelOf(kinds, kind)}: ${paid}`} at={at}>
      {details.join(' · ')}
      {period_end !== null && (
        <div>
          {texts.paidUntil} <Time at={period_end} />
        </div>
      )}
      {notification_id !== null && (
        <div>
          <Link component={RouterLink} to={notificationPath(notification_id)}>
            {texts.toNotification}
          </Link>
        </div>
      )}
    </TimelineRow>
  )
}
