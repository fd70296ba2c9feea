import { Box, Link, Stack, Typography } from '@mui/material'
import { Link as RouterLink } from 'react-router-dom'
import { useTexts } from '../../i18n/use-texts.ts'
import { Time } from '../../kit/show/values.tsx'
import { notificationPath } from '../../notifications/notification.ts'
import { NotificationChip } from '../../notifications/notification-chip.tsx'
import { whyTexts } from '../../notifications/why-texts.ts'
import { EvidenceChips } from '../../payments/evidence-chips.tsx'
import { labelOf } from '../../payments/label-of.ts'
import { paymentTexts } from '../../payments/payment-texts.ts'
import type { WaitingNotification } from './access.ts'
import { accessTexts } from './access-texts.ts'

/** Notifications that may be about the user and are not applied. Shows nothing where there are none. */
export function WaitingNotifications({ waiting }: { waiting: readonly WaitingNotification[] }) {
  const texts = useTexts(accessTexts)
  if (waiting.length === 0) return undefined
  return (
    <Box sx={{ mt: 2 }}>
      <Typography component="h3" variant="h3">
        {texts.waiting}
      </Typography>
      <Box component="ul" aria-label={texts.waiting} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {waiting.map((notification) => (
          <Waiting key={notification.notification_id} notification={notification} />
        ))}
      </Box>
    </Box>
  )
}

function Waiting({ notification }: { notification: WaitingNotification }) {
  const texts = useTexts(accessTexts)
  const { sources, events } = useTexts(paymentTexts)
  const why = useTexts(whyTexts)
  const { notification_id, source, event, status, product_name, received_at, because } = notification
  const about = [labelOf(sources, source), labelOf(events, event), product_name].filter((part) => part !== null)
  return (
    <Box component="li" sx={{ py: 1.25, borderTop: 1, borderColor: 'divider', '&:first-of-type': { borderTop: 0 } }}>
      <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <NotificationChip status={status} />
        <EvidenceChips because={because} />
      </Stack>
      <Link component={RouterLink} to={notificationPath(notification_id)} sx={{ display: 'inline-block', mt: 0.5 }}>
        {about.join(' · ')}
      </Link>
      <Typography variant="body2" color="textSecondary">
        {notification.why !== null && `${labelOf(why.short, notification.why)} · `}
        {texts.received} <Time at={received_at} />
      </Typography>
    </Box>
  )
}
