import { Alert, Box, Button, LinearProgress, Typography } from '@mui/material'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useNotify, useRefresh, useStore } from 'react-admin'
import { adminPath } from '../../api/admin-http.ts'
import { useCallAdmin, useMay } from '../../console-context.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { useTimeText } from '../../kit/show/values.tsx'
import { useFaultSentence } from '../../kit/use-fault-sentence.ts'
import { labelOf } from '../../payments/label-of.ts'
import { whyTexts } from '../why-texts.ts'
import { isShown, nextLook, percentOf, type Run, resultOf } from './run.ts'
import { runTexts } from './run-texts.ts'

/** The key under which the latest runs are remembered. */
export const RUNS = ['notification-runs']

/** The latest run: how far it is, whoever began it and wherever, and what came of it. The list follows it. */
export function RunPanel() {
  const callAdmin = useCallAdmin()
  const mayRun = useMay('notifications:write')
  const [closed, setClosed] = useStore('notifications.closedRun', '')
  const { data: run } = useQuery({
    queryKey: RUNS,
    queryFn: async ({ signal }) => {
      const { data } = await callAdmin<{ data: Run[] }>({ path: adminPath('notification-runs'), signal })
      return data[0] ?? null
    },
    refetchInterval: ({ state }) => nextLook(state.data ?? undefined, Date.now()),
    refetchIntervalInBackground: false,
  })
  useFollowing(run ?? undefined)
  // Its end is for those who can do something about it.
  if (!run || !isShown(run, closed, Date.now()) || (!mayRun && run.state !== 'running')) return undefined
  return <Panel run={run} mayStop={mayRun} onClose={() => setClosed(run.id)} />
}

/** Reads the page anew whenever the run has come further. */
function useFollowing(run: Run | undefined): void {
  const refresh = useRefresh()
  const result = run && [run.id, run.state, run.done, ...Object.values(run.asked_by_now)].join(' ')
  const seen = useRef(result)
  useEffect(() => {
    if (seen.current !== undefined && seen.current !== result) refresh()
    seen.current = result
  }, [result, refresh])
}

function Panel({ run, mayStop, onClose }: { run: Run; mayStop: boolean; onClose: () => void }) {
  const texts = useTexts(runTexts)
  const timeText = useTimeText()
  const isRunning = run.state === 'running'
  return (
    <Alert
      severity={isRunning ? 'info' : resultOf(run).failed > 0 || run.state === 'stopped' ? 'warning' : 'success'}
      sx={{ mb: 2, flexWrap: 'wrap', '& .MuiAlert-message': { flex: '1 1 16rem' } }}
      action={isRunning ? mayStop && <Stop id={run.id} /> : <Close onClose={onClose} />}
    >
      <Typography component="p" sx={{ fontWeight: 600 }}>
        {texts.states[run.state](timeText(run.since))}
      </Typography>
      {isRunning && (
        <Box sx={{ my: 1 }}>
          <LinearProgress variant="determinate" value={percentOf(run)} aria-label={texts.progress} />
        </Box>
      )}
      <div>{texts.done(run.done, run.total)}</div>
      <div role="status">{!isRunning && <Result run={run} />}</div>
    </Alert>
  )
}

function Result({ run }: { run: Run }) {
  const texts = useTexts(runTexts)
  const { short } = useTexts(whyTexts)
  const { processed, awaiting, failed, pending } = resultOf(run)
  return (
    <>
      <div>{texts.processed(processed)}</div>
      {awaiting > 0 && <div>{texts.awaiting(awaiting)}</div>}
      {failed > 0 && <div>{texts.failedAgain(failed)}</div>}
      {pending > 0 && (
        <>
          <div>{texts.pending(pending)}</div>
          <Box component="ul" sx={{ m: 0, pl: 3 }}>
            {Object.entries(run.pending).map(([why, count]) => (
              <li key={why}>{`${texts.others[why] ?? labelOf(short, why)}: ${count}`}</li>
            ))}
          </Box>
        </>
      )}
    </>
  )
}

function Stop({ id }: { id: string }) {
  const texts = useTexts(runTexts)
  const callAdmin = useCallAdmin()
  const refresh = useRefresh()
  const notify = useNotify()
  const sentenceOf = useFaultSentence()
  const stop = async () => {
    try {
      await callAdmin({ path: adminPath('notification-runs', id, 'stop'), method: 'POST', body: {} })
    } catch (error) {
      notify(sentenceOf(error), { type: 'error' })
    }
    refresh()
  }
  return (
    <Button color="inherit" size="small" onClick={() => void stop()}>
      {texts.stop}
    </Button>
  )
}

function Close({ onClose }: { onClose: () => void }) {
  return (
    <Button color="inherit" size="small" onClick={onClose}>
      {useTexts(runTexts).close}
    </Button>
  )
}
