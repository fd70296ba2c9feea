import { Typography } from '@mui/material'
import { useQueryClient } from '@tanstack/react-query'
import { adminPath } from '../../api/admin-http.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { Failed } from '../../kit/failed.tsx'
import { ActionButton } from '../../kit/form/action-button.tsx'
import { SinceField, useSince } from '../../kit/form/since-field.tsx'
import { useRead } from '../../kit/use-read.ts'
import type { Open, Run } from './run.ts'
import { RUNS } from './run-panel.tsx'
import { runTexts } from './run-texts.ts'

/** Has the service process everything again that waits or failed, since a moment that the user chooses: a day ago unless they do. */
export function RunButton() {
  const texts = useTexts(runTexts)
  const queries = useQueryClient()
  const chosen = useSince()
  const { since, reset } = chosen
  return (
    <ActionButton<Run>
      label={texts.run}
      request={{ path: adminPath('notification-runs'), body: { since: since ?? '' } }}
      onOpen={reset}
      explains={
        <>
          {texts.explains}
          <SinceField label={texts.since} since={chosen} />
          {since !== undefined && <Count since={since} />}
        </>
      }
      refusals={{ running: texts.isRunning }}
      onDone={() => void queries.invalidateQueries({ queryKey: RUNS })}
    />
  )
}

/** How many it will be, before anything is done. */
function Count({ since }: { since: string }) {
  const texts = useTexts(runTexts)
  const { data, error, refetch } = useRead<Open>(`notifications/open?since=${encodeURIComponent(since)}`)
  if (error) return <Failed error={error} onRetry={refetch} />
  return (
    <Typography role="status" component="div" sx={{ mt: 1.5 }}>
      {data === undefined ? (
        texts.counting
      ) : (
        <>
          <strong>{texts.count(data.unresolved + data.failed)}</strong>
          {data.unresolved + data.failed > 0 && <div>{texts.counted(data.unresolved, data.failed)}</div>}
          {data.awaiting_gateway > 0 && <div>{texts.beingAsked(data.awaiting_gateway)}</div>}
        </>
      )}
    </Typography>
  )
}
