import { useTexts } from '../i18n/use-texts.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { subscriptionTexts } from './texts.ts'

/** Whether a subscription gives access now. */
export function AccessChip({ isActive }: { isActive: boolean }) {
  const texts = useTexts(subscriptionTexts)
  return <StatusChip tone={isActive ? 'good' : 'neutral'} label={isActive ? texts.accessYes : texts.accessNo} />
}
