import { Alert } from '@mui/material'
import { type ReactNode, useState } from 'react'
import { useLocale } from 'react-admin'
import { useMay } from '../console-context.ts'
import { localeOf } from '../i18n/locales.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { CopyText } from '../kit/show/copy-text.tsx'
import { Facts } from '../kit/show/facts.tsx'
import { formatMoney } from '../kit/show/formats.ts'
import { Section } from '../kit/show/section.tsx'
import { ShowPage } from '../kit/show/show-page.tsx'
import { Json, Time } from '../kit/show/values.tsx'
import { labelOf } from '../payments/label-of.ts'
import { useProducts } from '../payments/offers.ts'
import { paymentTexts } from '../payments/payment-texts.ts'
import { SuggestedUsers } from '../payments/suggested-users.tsx'
import { LinkButton } from '../subscriptions/link-button.tsx'
import { AttemptsSection } from './attempts/attempts-section.tsx'
import { Outcome } from './attempts/outcome.tsx'
import type { Retried } from './attempts/retried.ts'
import { ChangedSection } from './changed-section.tsx'
import { ChecksSection } from './checks-section.tsx'
import { AWAITS_PURCHASE, type NotificationDetails, type NotificationStatus } from './notification.ts'
import { NotificationChip } from './notification-chip.tsx'
import { ResolveButtons, ResolveWith } from './resolve-buttons.tsx'
import { notificationTexts } from './texts.ts'
import { useWhySentence } from './why.tsx'

/** One notification: its content, its changes, and the buttons to resolve a pending one. */
export function NotificationShow() {
  const { events } = useTexts(paymentTexts)
  const texts = useTexts(notificationTexts)
  const mayResolve = useMay('notifications:write')
  const mayLink = useMay('subscriptions:write')
  const [retried, setRetried] = useState<Retried>()
  return (
    <ShowPage<NotificationDetails>
      back="/notifications"
      title={({ event }) => labelOf(events, event)}
      actions={(notification) => mayResolve && <ResolveButtons notification={notification} onRetried={setRetried} />}
    >
      {(notification) => (
        <>
          <Outcome notification={notification} retried={retried} />
          <StateSection notification={notification} />
          <SuggestedUsers
            users={notification.suggested_users}
            actionOf={({ id, email }) =>
              notification.subscription_id === null
                ? mayResolve && <ResolveWith notification={notification} email={email} />
                : mayLink && <LinkButton subscriptionId={notification.subscription_id} userId={id} />
            }
          />
          <Amount notification={notification} />
          <About notification={notification} />
          <AttemptsSection attempts={notification.attempts} />
          <ChecksSection checks={notification.checks} />
          <ChangedSection source={notification.source} changed={notification.changed} />
          <Section title={texts.payload}>
            {notification.masked && (
              <Alert severity="info" sx={{ mb: 1.5 }}>
                {texts.masked}
              </Alert>
            )}
            <Json value={notification.payload} label={texts.payload} />
          </Section>
        </>
      )}
    </ShowPage>
  )
}

const severities = {
  unresolved: 'warning',
  failed: 'error',
  refused: 'error',
  processed: 'success',
  ignored: 'info',
  test: 'info',
} as const satisfies Record<NotificationStatus, string>

/** Of one that was given up or refused, the time stands among the attempts: nothing is resolved. */
const isResolved = {
  unresolved: false,
  failed: false,
  refused: false,
  processed: true,
  ignored: true,
  test: true,
} as const satisfies Record<NotificationStatus, boolean>

/** Its state, the reason, and the advice. */
function StateSection({ notification: { status, why } }: { notification: NotificationDetails }) {
  const texts = useTexts(notificationTexts)
  const sentence = useWhySentence({ status, why })
  return (
    <Alert
      severity={why === AWAITS_PURCHASE ? 'info' : severities[status]}
      sx={{ mb: 2.5, flexWrap: 'wrap', '& .MuiAlert-message': { flex: '1 1 14rem' } }}
    >
      {sentence}
      {status === 'failed' && why !== null && <div>{`${texts.fault}: ${why}`}</div>}
    </Alert>
  )
}

/** The amount that was paid, where it differs from the price of the plan. */
function Amount({ notification: { paid_amount, plan_price } }: { notification: NotificationDetails }) {
  const texts = useTexts(notificationTexts)
  const locale = localeOf(useLocale())
  if (paid_amount === null || plan_price === null) return undefined
  return (
    <Alert severity={paid_amount < plan_price ? 'warning' : 'info'} sx={{ mb: 2.5 }}>
      {texts.amountDiffers(formatMoney(paid_amount, locale), formatMoney(plan_price, locale))}
    </Alert>
  )
}

function About({ notification }: { notification: NotificationDetails }) {
  const texts = useTexts(notificationTexts)
  const { sources } = useTexts(paymentTexts)
  const products = useProducts()
  const { id, event, status, why, source, subject, product_id, received_at, processed_at } = notification
  const product = products.find((one) => one.id === product_id)?.name ?? product_id
  const facts: Array<readonly [string, ReactNode]> = [
    [texts.status, <NotificationChip key="status" status={status} why={why} />],
    [texts.event, <code key="event">{event}</code>],
    [texts.source, labelOf(sources, source)],
    [texts.product, product],
    [subject?.includes('@') === false ? texts.aboutPayment : texts.buyer, subject],
    [texts.receivedAt, <Time key="received" at={received_at} />],
    ...(isResolved[status] ? [[texts.processedAt, <Time key="processed" at={processed_at} />] as const] : []),
    [texts.id, <CopyText key="id" text={id} label={texts.id} />],
  ]
  return (
    <Section title={texts.about}>
      <Facts facts={facts} />
    </Section>
  )
}
