import { Box, Typography } from '@mui/material'
import { Actor } from '../../audit/actor.tsx'
import { useTexts } from '../../i18n/use-texts.ts'
import { Section } from '../../kit/show/section.tsx'
import { StatusChip, type Tone } from '../../kit/show/status-chip.tsx'
import { Time } from '../../kit/show/values.tsx'
import { labelOf } from '../../payments/label-of.ts'
import type { Attempt } from '../notification.ts'
import { whyTexts } from '../why-texts.ts'
import { attemptTexts } from './attempt-texts.ts'

const tones = {
  processed: 'good',
  test: 'neutral',
  unresolved: 'warning',
  ignored: 'neutral',
  failed: 'bad',
  refused: 'bad',
  asked: 'neutral',
  fault: 'warning',
} as const satisfies Record<NonNullable<Attempt['outcome']>, Tone>

/** Each attempt to make something of a notification, the oldest first: when, what came of it, how long it took. */
export function AttemptsSection({ attempts }: { attempts: readonly Attempt[] }) {
  const texts = useTexts(attemptTexts)
  return (
    <Section title={texts.attempts}>
      <Box component="ol" aria-label={texts.attempts} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {attempts.map((attempt, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: attempts are only ever added at the end
          <Box component="li" key={i} sx={{ py: 1.25, borderTop: i === 0 ? 'none' : '1px solid', borderColor: 'divider' }}>
            <Line attempt={attempt} />
          </Box>
        ))}
      </Box>
    </Section>
  )
}

function Line({ attempt: { kind, at, ms, outcome, why, actor } }: { attempt: Attempt }) {
  const texts = useTexts(attemptTexts)
  const { short } = useTexts(whyTexts)
  const isFault = (outcome === 'fault' || outcome === 'failed') && why !== null && !Object.hasOwn(short, why)
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, rowGap: 0.5, alignItems: 'center' }}>
        <Time at={at} />
        <StatusChip
          tone={outcome === null ? 'neutral' : tones[outcome]}
          label={outcome === null ? texts.notKept : texts.outcomes[outcome]}
        />
        <Typography variant="body2" color="textSecondary">
          {ms === null ? texts.kinds[kind] : `${texts.kinds[kind]} · ${texts.took(ms)}`}
        </Typography>
        {actor !== null && (
          <Typography variant="body2" color="textSecondary" component="span">
            <Actor actor={actor} />
          </Typography>
        )}
      </Box>
      {why !== null && (
        <Typography variant="body2" {...(isFault && { lang: 'en' })} sx={{ mt: 0.5, overflowWrap: 'anywhere' }}>
          {isFault ? <code>{why}</code> : labelOf(short, why)}
        </Typography>
      )}
    </>
  )
}
