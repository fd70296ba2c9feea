import { useTexts } from '../i18n/use-texts.ts'
import { Absent } from '../kit/show/values.tsx'
import { labelOf } from '../payments/label-of.ts'
import { timelineTexts } from '../timeline/texts.ts'
import { auditTexts } from './texts.ts'

/** Why something was done: the service's own word, or what somebody typed, which stays as it is. */
export function Reason({ action, reason }: { action: string; reason: string | null }) {
  const { ends } = useTexts(timelineTexts)
  const { leaks } = useTexts(auditTexts)
  if (reason === null) return <Absent />
  if (action === 'product.key_leaked') return labelOf(leaks, reason)
  return action === 'user.impersonation_ended' ? labelOf(ends, reason) : reason
}
