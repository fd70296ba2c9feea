import { Typography } from '@mui/material'
import { useNotify, useRefresh } from 'react-admin'
import { adminPath } from '../../api/admin-http.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { Failed } from '../../kit/failed.tsx'
import { ActionButton } from '../../kit/form/action-button.tsx'
import { SinceField, useSince } from '../../kit/form/since-field.tsx'
import { useRead } from '../../kit/use-read.ts'
import { MAX_MISSED } from '../endpoint.ts'
import { deliveryTexts } from './texts.ts'

/** Delivers everything again that has failed. */
export function ReplayFailedButton({ id }: { id: string }) {
  const texts = useTexts(deliveryTexts)
  const onDone = useReplayed()
  return (
    <ActionButton<{ replayed: number }>
      label={texts.replayFailed}
      request={{ path: adminPath('endpoints', id, 'replay') }}
      explains={
        <>
          {texts.replayFailedExplains}
          <Count path={`${adminPath('endpoints', id, 'missed')}`} />
        </>
      }
      onDone={onDone}
    />
  )
}

/** Delivers everything since a moment again, a day ago unless the user chooses another. */
export function ReplaySinceButton({ id }: { id: string }) {
  const texts = useTexts(deliveryTexts)
  const onDone = useReplayed()
  const chosen = useSince()
  const { since, reset } = chosen
  return (
    <ActionButton<{ replayed: number }>
      label={texts.replaySince}
      // Without a moment this would replay something else: the service refuses an empty one.
      request={{ path: adminPath('endpoints', id, 'replay'), body: { since: since ?? '' } }}
      onOpen={reset}
      explains={
        <>
          {texts.replaySinceExplains}
          <SinceField label={texts.since} since={chosen} />
          {since !== undefined && <Count path={`${adminPath('endpoints', id, 'missed')}?since=${encodeURIComponent(since)}`} />}
        </>
      }
      onDone={onDone}
    />
  )
}

/** How many it will be, before anything is done. */
function Count({ path }: { path: string }) {
  const texts = useTexts(deliveryTexts)
  const { data, error, refetch } = useRead<{ count: number }>(path)
  if (error) return <Failed error={error} onRetry={refetch} />
  return (
    <Typography role="status" sx={{ mt: 1.5, fontWeight: 600 }}>
      {data === undefined ? texts.counting : data.count >= MAX_MISSED ? texts.manyMissed(MAX_MISSED) : texts.missed(data.count)}
    </Typography>
  )
}

function useReplayed(): (answer: { replayed: number }) => void {
  const texts = useTexts(deliveryTexts)
  const notify = useNotify()
  const refresh = useRefresh()
  return ({ replayed }) => {
    notify(texts.replayed(replayed), { type: 'info' })
    refresh()
  }
}
