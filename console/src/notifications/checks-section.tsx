import { Box, Typography } from '@mui/material'
import { useTexts } from '../i18n/use-texts.ts'
import { Section } from '../kit/show/section.tsx'
import { StatusChip } from '../kit/show/status-chip.tsx'
import type { NotificationDetails } from './notification.ts'
import { notificationTexts } from './texts.ts'

const tones = { passed: 'good', pending: 'warning', failed: 'bad' } as const

/** The checks in their order, with their results. */
export function ChecksSection({ checks }: Pick<NotificationDetails, 'checks'>) {
  const texts = useTexts(notificationTexts)
  return (
    <Section title={texts.checks}>
      <Box component="ol" sx={{ m: 0, pl: 3, display: 'grid', rowGap: 1.5 }}>
        {checks.map(({ check, state }) => (
          <li key={check}>
            <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'center' }}>
              <Typography component="span" sx={{ fontWeight: 600 }}>
                {texts.checkNames[check]}
              </Typography>
              <StatusChip tone={tones[state]} label={texts.checkStates[state]} />
            </Box>
            <Typography color="textSecondary">
              {state === 'passed' ? texts.checkOk[check] : state === 'pending' ? texts.notYet : texts.checkFailed[check]}
            </Typography>
          </li>
        ))}
      </Box>
    </Section>
  )
}
