import { useTexts } from '../i18n/use-texts.ts'
import { StatusChip, type Tone } from '../kit/show/status-chip.tsx'
import type { NotificationStatus } from './notification.ts'
import { notificationTexts } from './texts.ts'

const tones = {
  unresolved: 'warning',
  failed: 'bad',
  refused: 'bad',
  processed: 'good',
  ignored: 'neutral',
  test: 'neutral',
} as const satisfies Record<NotificationStatus, Tone>

/** The state of a notification. */
export function NotificationChip({ status }: { status: NotificationStatus }) {
  return <StatusChip tone={tones[status]} label={useTexts(notificationTexts).statuses[status]} />
}
