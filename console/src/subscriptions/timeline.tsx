import { Box, Link, Typography } from '@mui/material'
import { Link as RouterLink } from 'react-router-dom'
import { useTexts } from '../i18n/use-texts.ts'
import { Money, Time } from '../kit/show/values.tsx'
import { notificationPath } from '../notifications/notification.ts'
import { labelOf } from '../payments/label-of.ts'
import { paymentTexts } from '../payments/payment-texts.ts'
import type { PaymentEvent } from './subscription.ts'
import { subscriptionTexts } from './texts.ts'

/** All events of a subscription, the newest first, each with its notification. */
export function Timeline({ events }: { events: readonly PaymentEvent[] }) {
  const texts = useTexts(subscriptionTexts)
  if (events.length === 0) return <Typography color="textSecondary">{texts.noEvents}</Typography>
  return (
    <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none' }}>
      {events.toReversed().map((event) => (
        <Box
          key={event.key}
          component="li"
          sx={{ pl: 2, pb: 2, ml: 0.5, borderLeft: 2, borderColor: 'divider', '&:last-of-type': { pb: 0 } }}
        >
          <Entry event={event} />
        </Box>
      ))}
    </Box>
  )
}

function Entry({ event: { at, kind, key, plan_slug, payment_id, amount, method, period_end, notification_id } }: { event: PaymentEvent }) {
  const texts = useTexts(subscriptionTexts)
  const { kinds, methods } = useTexts(paymentTexts)
  const details = [
    key.startsWith('operator:') ? texts.byOperator : undefined,
    plan_slug ?? undefined,
    method === null ? undefined : labelOf(methods, method),
    // Purchases have no payment of their own: there it is the notification's key.
    payment_id === null || payment_id === key ? undefined : texts.payment(payment_id),
  ].filter((detail) => detail !== undefined)
  return (
    <>
      <Typography variant="body2" color="textSecondary">
        <Time at={at} />
      </Typography>
      <Typography sx={{ fontWeight: 600 }}>
        {labelOf(kinds, kind)}
        {amount !== null && (
          <>
            {': '}
            <Money centavos={amount} />
          </>
        )}
      </Typography>
      {details.length > 0 && <Typography variant="body2">{details.join(' · ')}</Typography>}
      {period_end !== null && (
        <Typography variant="body2">
          {texts.paidUntil} <Time at={period_end} />
        </Typography>
      )}
      {notification_id !== null && (
        <Link component={RouterLink} to={notificationPath(notification_id)} variant="body2">
          {texts.toNotification}
        </Link>
      )}
    </>
  )
}
