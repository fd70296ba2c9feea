import { Link } from '@mui/material'
import { useLocale } from 'react-admin'
import { Link as RouterLink } from 'react-router-dom'
import { useTimeZone } from '../../console-context.ts'
import { localeOf } from '../../i18n/locales.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { Time } from '../../kit/show/values.tsx'
import { notificationPath } from '../../notifications/notification.ts'
import { subscriptionPath } from '../../subscriptions/subscription.ts'
import type { PurchaseAccess } from './access.ts'
import { unsaidEnd } from './access-sentence.ts'
import { accessTexts } from './access-texts.ts'

/** Until when it is paid, or given, where the sentence does not say so. */
export function PaidUntil({ row }: { row: PurchaseAccess }) {
  const texts = useTexts(accessTexts)
  const locale = localeOf(useLocale())
  const zone = useTimeZone()
  const end = unsaidEnd(row)
  if (end === null) return undefined
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: zone }).format(new Date(end))
  return <Time at={end}>{row.event === 'granted' ? texts.givenUntil(day) : texts.paidUntil(day)}</Time>
}

/** The pages that prove it. */
export function RestsOn({ row: { subscription_id, notification_id } }: { row: PurchaseAccess }) {
  const texts = useTexts(accessTexts)
  return (
    <>
      <Link component={RouterLink} to={subscriptionPath(subscription_id)}>
        {texts.toSubscription}
      </Link>
      {notification_id !== null && (
        <Link component={RouterLink} to={notificationPath(notification_id)}>
          {texts.toNotification}
        </Link>
      )}
    </>
  )
}
