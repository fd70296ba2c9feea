import { Box, Link, Typography } from '@mui/material'
import { Link as RouterLink } from 'react-router-dom'
import { useTexts } from '../i18n/use-texts.ts'
import { StatusChip } from '../kit/show/status-chip.tsx'
import { notificationPath } from '../notifications/notification.ts'
import { fixOf, stepNames, type Tested } from './tested.ts'
import { testTexts } from './texts.ts'

type Step = Tested['steps'][number]

/**
 * Every step with its result, and the fix of a failed one; the service's own English sentence is shown if there is no text here. Steps that
 * were not reached are marked.
 */
export function TestSteps({ steps }: Pick<Tested, 'steps'>) {
  const texts = useTexts(testTexts)
  return (
    <Box component="ol" sx={{ m: 0, mt: 2, pl: 3, display: 'grid', rowGap: 2 }}>
      {stepNames.map((name) => {
        const found = steps.find(({ step }) => step === name)
        return (
          <li key={name}>
            <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'center' }}>
              <Typography component="span" sx={{ fontWeight: 600 }}>
                {texts.steps[name]}
              </Typography>
              <StatusChip
                tone={found === undefined ? 'neutral' : found.ok ? 'good' : 'bad'}
                label={found === undefined ? texts.unknown : found.ok ? texts.good : texts.bad}
              />
            </Box>
            {found && <Finding found={found} />}
          </li>
        )
      })}
    </Box>
  )
}

function Finding({ found }: { found: Step }) {
  const texts = useTexts(testTexts)
  const { step, ok, detail, code, notification_id: id } = found
  const labels = ok ? texts.well[step] : fixOf(code, texts.fix)
  return (
    <>
      <Typography>{labels}</Typography>
      {!ok && labels !== undefined ? (
        <Typography component="details" variant="body2" color="textSecondary">
          <summary>{texts.details}</summary>
          <code lang="en">{detail}</code>
        </Typography>
      ) : (
        (step === 'answer' || !ok) && (
          <Typography variant="body2" color="textSecondary">
            {texts.said}: <code lang="en">{detail}</code>
          </Typography>
        )
      )}
      {id !== null && (
        <Link component={RouterLink} to={notificationPath(id)}>
          {texts.toNotification}
        </Link>
      )}
    </>
  )
}
