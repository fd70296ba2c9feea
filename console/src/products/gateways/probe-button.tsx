import { Alert, AlertTitle, Box, Button } from '@mui/material'
import { useState } from 'react'
import { useCallAdmin } from '../../console-context.ts'
import { EngineersNote } from '../../faults/engineers-note.tsx'
import { type Fault, sentenceOf } from '../../faults/fault.ts'
import { networkTexts } from '../../faults/network-texts.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { useFaultSentence } from '../../kit/use-fault-sentence.ts'
import { gatewayFaultTexts } from './fault-texts.ts'
import { gatewayTexts } from './texts.ts'

interface Probe extends Fault {
  ok: boolean
  warning: Fault | null
}

/** Asks a gateway's API whether it accepts the access token, and gives advice if not. */
export function ProbeButton({ path, name }: { path: string; name: string }) {
  const texts = useTexts(gatewayTexts)
  const callAdmin = useCallAdmin()
  const faultSentence = useFaultSentence()
  const [probe, setProbe] = useState<Probe | 'asking'>()
  const [fault, setFault] = useState<string>()
  const ask = async () => {
    setProbe('asking')
    setFault(undefined)
    try {
      setProbe(await callAdmin<Probe>({ path, method: 'POST' }))
    } catch (error) {
      setProbe(undefined)
      setFault(faultSentence(error))
    }
  }
  return (
    <>
      <Button variant="outlined" disabled={probe === 'asking'} onClick={() => void ask()}>
        {probe === 'asking' ? texts.probing : texts.probe}
      </Button>
      <Box role="status" sx={{ flexBasis: '100%' }}>
        {fault !== undefined && <Alert severity="error">{fault}</Alert>}
        {probe && probe !== 'asking' && <Found probe={probe} name={name} />}
      </Box>
    </>
  )
}

function Found({ probe, name }: { probe: Probe; name: string }) {
  const texts = useTexts(gatewayTexts)
  const labels = [useTexts(networkTexts), useTexts(gatewayFaultTexts)]
  const { ok, says, warning } = probe
  return (
    <Alert severity={ok ? 'success' : 'error'}>
      {ok ? texts.probeGood(name) : <AlertTitle>{texts.probeBad(name)}</AlertTitle>}
      {!ok && sentenceOf(probe, ...labels)}
      {!ok && <EngineersNote says={says} />}
      {warning !== null && (
        <Box sx={{ mt: 1, overflowWrap: 'anywhere' }}>
          {texts.warning}. {sentenceOf(warning, ...labels) ?? warning.says}
        </Box>
      )}
    </Alert>
  )
}
