import { useTexts } from '../i18n/use-texts.ts'
import { StatusChip, type Tone } from '../kit/show/status-chip.tsx'
import { AWAITS_PURCHASE, type NotificationStatus } from './notification.ts'
import { notificationTexts } from './texts.ts'
import { whyTexts } from './why-texts.ts'

const tones = {
  unresolved: 'warning',
  failed: 'bad',
  refused: 'bad',
  processed: 'good',
  ignored: 'neutral',
  test: 'neutral',
} as const satisfies Record<NotificationStatus, Tone>

/** The state of a notification. One that is kept until its purchase is known is not called applied. */
export function NotificationChip({ status, why = null }: { status: NotificationStatus; why?: string | null }) {
  const { statuses } = useTexts(notificationTexts)
  const { short } = useTexts(whyTexts)
  if (why === AWAITS_PURCHASE) return <StatusChip tone="neutral" label={short.awaits_purchase} />
  return <StatusChip tone={tones[status]} label={statuses[status]} />
}
