import { useTexts } from '../i18n/use-texts.ts'
import { StatusChip } from '../kit/show/status-chip.tsx'
import { subscriptionTexts } from './texts.ts'

/** Whether a subscription gives access now. Without an account it is paid, and gives access to nobody. */
export function AccessChip({ isActive, isGuest }: { isActive: boolean; isGuest: boolean }) {
  const texts = useTexts(subscriptionTexts)
  if (isActive && isGuest) return <StatusChip tone="warning" label={texts.accessOfNobody} />
  return <StatusChip tone={isActive ? 'good' : 'neutral'} label={isActive ? texts.accessYes : texts.accessNo} />
}
