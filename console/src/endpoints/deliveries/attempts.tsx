import { Box, Typography } from '@mui/material'
import { useTexts } from '../../i18n/use-texts.ts'
import { StatusChip } from '../../kit/show/status-chip.tsx'
import { Time } from '../../kit/show/values.tsx'
import type { Attempt } from '../endpoint.ts'
import { hasArrived } from './chips.tsx'
import { deliveryTexts } from './texts.ts'

/** Each attempt to deliver an event, the oldest first: when, what came back, how long it took. */
export function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  const texts = useTexts(deliveryTexts)
  if (attempts.length === 0) return <Typography color="textSecondary">{texts.noAttempt}</Typography>
  return (
    <Box component="ol" aria-label={texts.attempts} sx={{ m: 0, p: 0, listStyle: 'none' }}>
      {attempts.map((attempt, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: attempts are only ever added at the end
        <Box component="li" key={i} sx={{ py: 1.25, borderTop: '1px solid', borderColor: 'divider' }}>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, rowGap: 0.5, alignItems: 'center' }}>
            <Time at={attempt.at} />
            <StatusChip
              tone={hasArrived(attempt) ? 'good' : 'bad'}
              label={attempt.status === null ? texts.unanswered : texts.answered(attempt.status)}
            />
            <Typography variant="body2" color="textSecondary">
              {texts.took(attempt.ms)}
            </Typography>
          </Box>
          {attempt.fault !== null && (
            <Typography variant="body2" lang="en" sx={{ mt: 0.5, overflowWrap: 'anywhere' }}>
              <code>{attempt.fault}</code>
            </Typography>
          )}
          <AnswerText answer={attempt.answer} />
        </Box>
      ))}
    </Box>
  )
}

/** The answer of a receiver, as text, since a stranger wrote it. */
export function AnswerText({ answer }: { answer: string | null }) {
  const texts = useTexts(deliveryTexts)
  if (answer === null || answer === '') return undefined
  return (
    <Box
      component="pre"
      // A text that scrolls must be reachable by keyboard. It is no landmark: a page would have one for each attempt.
      tabIndex={0}
      role="group"
      aria-label={texts.answerText}
      sx={{
        ...{ m: 0, mt: 0.75, p: 1, borderRadius: 1, bgcolor: 'action.hover', fontSize: '0.8125rem' },
        ...{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', overflow: 'auto', maxHeight: 220 },
      }}
    >
      {answer}
    </Box>
  )
}
