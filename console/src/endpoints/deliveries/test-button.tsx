import { Alert, Box, Button } from '@mui/material'
import { useState } from 'react'
import { useRefresh } from 'react-admin'
import { adminPath } from '../../api/admin-http.ts'
import { useCallAdmin } from '../../console-context.ts'
import { EngineersNote } from '../../faults/engineers-note.tsx'
import { useTexts } from '../../i18n/use-texts.ts'
import { useFaultSentence } from '../../kit/use-fault-sentence.ts'
import type { Attempt } from '../endpoint.ts'
import { endpointTexts } from '../texts.ts'
import { AnswerText } from './attempts.tsx'
import { hasArrived } from './chips.tsx'

/** Sends a test event at once, and says what came back. */
export function TestButton({ id }: { id: string }) {
  const texts = useTexts(endpointTexts)
  const callAdmin = useCallAdmin()
  const sentenceOf = useFaultSentence()
  const refresh = useRefresh()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const [tested, setTested] = useState<Attempt & { enabled: boolean }>()
  const test = async () => {
    setBusy(true)
    setFault(undefined)
    setTested(undefined)
    try {
      const answer = await callAdmin<Attempt & { enabled: boolean }>({ path: adminPath('endpoints', id, 'test'), method: 'POST', body: {} })
      setTested(answer)
      if (answer.enabled) refresh()
    } catch (error) {
      setFault(sentenceOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button variant="contained" disabled={isBusy} onClick={() => void test()}>
        {isBusy ? texts.testing : texts.test}
      </Button>
      <Box role="status" sx={{ order: 1, flexBasis: '100%' }}>
        {fault !== undefined && <Alert severity="error">{fault}</Alert>}
        {tested && (
          <Alert severity={hasArrived(tested) ? 'success' : 'error'} sx={{ '& .MuiAlert-message': { minWidth: 0, flex: 1 } }}>
            {tested.status === null ? texts.testUnanswered : texts.testAnswered(tested.status, tested.ms)}
            {tested.enabled && ` ${texts.testEnabled}`}
            {tested.fault !== null && <EngineersNote says={tested.fault} />}
            {!hasArrived(tested) && <AnswerText answer={tested.answer} />}
          </Alert>
        )}
      </Box>
    </>
  )
}
