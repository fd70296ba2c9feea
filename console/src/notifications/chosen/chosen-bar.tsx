import { Alert, Box, Button, Typography } from '@mui/material'
import { useEffect, useState } from 'react'
import { useListContext, useRefresh } from 'react-admin'
import { adminPath } from '../../api/admin-http.ts'
import { useCallAdmin } from '../../console-context.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { ActionButton } from '../../kit/form/action-button.tsx'
import { useFaultSentence } from '../../kit/use-fault-sentence.ts'
import { labelOf } from '../../payments/label-of.ts'
import { useLookAgain } from '../attempts/use-look-again.ts'
import type { Notification } from '../notification.ts'
import { whyTexts } from '../why-texts.ts'
import { type BatchResult, isWorthAnotherLook, tally } from './batch.ts'
import { batchTexts } from './batch-texts.ts'

interface ChosenBarProps {
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}

/** Actions on the chosen rows together, and their outcome. A row out of sight is never chosen. */
export function ChosenBar({ chosen, onChange }: ChosenBarProps) {
  const [results, setResults] = useState<readonly BatchResult[]>()
  const { data = [], page, filterValues, sort } = useListContext<Notification>()
  const seen = JSON.stringify([page, filterValues, sort])
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are shown: none of them is chosen
  useEffect(() => {
    onChange(new Set())
    setResults(undefined)
  }, [seen])
  const ids = data.map(({ id }) => id).filter((id) => chosen.has(id))
  const isAwaiting = data.some(({ id, why }) => why === 'awaiting_gateway' && results?.some((one) => one.id === id))
  useLookAgain(isAwaiting)
  const show = (answered: readonly BatchResult[]) => {
    setResults(answered)
    onChange(new Set())
  }
  return (
    <>
      {ids.length > 0 && <Bar ids={ids} onDone={show} onClear={() => onChange(new Set())} />}
      <div role="status">{results && ids.length === 0 && <Results results={results} onClose={() => setResults(undefined)} />}</div>
    </>
  )
}

interface BarProps {
  ids: readonly string[]
  onDone: (results: readonly BatchResult[]) => void
  onClear: () => void
}

function Bar({ ids, onDone, onClear }: BarProps) {
  const texts = useTexts(batchTexts)
  const sentenceOf = useFaultSentence()
  const callAdmin = useCallAdmin()
  const refresh = useRefresh()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const path = adminPath('notifications', 'batch')
  const done = ({ results }: { results: BatchResult[] }) => {
    refresh()
    onDone(results)
  }
  const process = async () => {
    setBusy(true)
    setFault(undefined)
    try {
      done(await callAdmin<{ results: BatchResult[] }>({ path, method: 'POST', body: { action: 'reprocess', ids } }))
    } catch (error) {
      setFault(sentenceOf(error, ({ status }) => (status === 429 ? texts.tooMany : undefined)))
      setBusy(false)
    }
  }
  return (
    <Box role="group" aria-label={texts.chosen(ids.length)} sx={{ mb: 2 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        <Typography sx={{ fontWeight: 600, mr: 1 }}>{texts.chosen(ids.length)}</Typography>
        <Button variant="contained" disabled={isBusy} onClick={() => void process()}>
          {texts.process}
        </Button>
        <ActionButton<{ results: BatchResult[] }>
          label={texts.ignore}
          tone="danger"
          reason="required"
          request={{ path, body: { action: 'ignore', ids } }}
          explains={texts.ignoreExplains(ids.length)}
          onDone={done}
        />
        <Button onClick={onClear}>{texts.clear}</Button>
      </Box>
      {fault !== undefined && (
        <Alert severity="error" sx={{ mt: 1 }}>
          {fault}
        </Alert>
      )}
    </Box>
  )
}

function Results({ results, onClose }: { results: readonly BatchResult[]; onClose: () => void }) {
  const texts = useTexts(batchTexts)
  const { short } = useTexts(whyTexts)
  return (
    <Alert
      severity={isWorthAnotherLook(results) ? 'warning' : 'success'}
      sx={{ mb: 2 }}
      action={
        <Button color="inherit" size="small" onClick={onClose}>
          {texts.close}
        </Button>
      }
    >
      {tally(results).map(({ outcome, why, count }) => (
        <div key={`${outcome} ${why}`}>{`${texts.outcomes[outcome]}${why === null ? '' : ` (${labelOf(short, why)})`}: ${count}`}</div>
      ))}
    </Alert>
  )
}
