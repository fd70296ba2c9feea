import { Box, Link, Typography } from '@mui/material'
import { Link as RouterLink } from 'react-router-dom'
import { useTexts } from '../i18n/use-texts.ts'
import { Section } from '../kit/show/section.tsx'
import { Time } from '../kit/show/values.tsx'
import { labelOf } from '../payments/label-of.ts'
import { paymentTexts } from '../payments/payment-texts.ts'
import { subscriptionPath } from '../subscriptions/subscription.ts'
import type { NotificationDetails } from './notification.ts'
import { notificationTexts } from './texts.ts'

/** A notification's changes of subscriptions, each with a link. */
export function ChangedSection({ source, changed }: Pick<NotificationDetails, 'source' | 'changed'>) {
  const texts = useTexts(notificationTexts)
  const { kinds } = useTexts(paymentTexts)
  return (
    <Section title={texts.changed}>
      {changed.length === 0 && <Typography color="textSecondary">{texts.changedNothing}</Typography>}
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', rowGap: 1.5 }}>
        {changed.map(({ subscription_id, kind, at, payment_id }) => (
          <li key={`${kind} ${at} ${payment_id}`}>
            <Typography sx={{ fontWeight: 600 }}>{labelOf(kinds, kind)}</Typography>
            <Typography variant="body2" color="textSecondary">
              <Time at={at} />
              {/* Purchases have no payment of their own: there it is the notification's key. */}
              {source !== 'purchase' && payment_id !== null && ` · ${texts.payment(payment_id)}`}
            </Typography>
            <Link component={RouterLink} to={subscriptionPath(subscription_id)}>
              {texts.openSubscription}
            </Link>
          </li>
        ))}
      </Box>
    </Section>
  )
}
