import { Alert } from '@mui/material'
import { useTexts } from '../../i18n/use-texts.ts'
import { kitTexts } from '../../kit/texts.ts'
import { labelOf } from '../../payments/label-of.ts'
import type { NotificationDetails } from '../notification.ts'
import { whyTexts } from '../why-texts.ts'
import { attemptTexts } from './attempt-texts.ts'
import type { Retried } from './retried.ts'
import { useLookAgain } from './use-look-again.ts'

interface OutcomeProps {
  notification: NotificationDetails
  retried: Retried | undefined
}

/** The outcome of the last retry on this page. It waits for a gateway's answer. */
export function Outcome({ notification, retried }: OutcomeProps) {
  const isAwaiting = notification.status === 'unresolved' && notification.why === 'awaiting_gateway'
  const isLooking = useLookAgain(isAwaiting)
  const said = useSentence(notification, retried, isLooking)
  return (
    <div role="status">
      {said && (
        <Alert severity={said.severity} sx={{ mb: 2.5 }}>
          {said.text}
        </Alert>
      )}
    </div>
  )
}

function useSentence(
  { id, status, why }: NotificationDetails,
  retried: Retried | undefined,
  isLooking: boolean,
): { severity: 'info' | 'success' | 'warning' | 'error'; text: string } | undefined {
  const texts = useTexts(attemptTexts)
  const { sentence } = useTexts(whyTexts)
  const { wentWrong } = useTexts(kitTexts)
  if (retried?.id !== id || retried.state === 'busy') return undefined
  const { state, reason } = retried
  if (state === 'refused') {
    if (reason === undefined) return { severity: 'error', text: wentWrong }
    return { severity: 'warning', text: texts.refusals[reason] ?? texts.isStillPending(labelOf(sentence, reason)) }
  }
  if (status === 'unresolved' && why === 'awaiting_gateway') return { severity: 'info', text: isLooking ? texts.asking : texts.askingLong }
  if (status === 'failed') return { severity: 'error', text: texts.failedAgain }
  if (status === 'unresolved') return { severity: 'warning', text: texts.isStillPending(labelOf(sentence, why ?? '')) }
  return { severity: 'success', text: texts.worked }
}
