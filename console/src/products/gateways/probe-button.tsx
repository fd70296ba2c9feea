import { Alert, AlertTitle, Box, Button } from '@mui/material'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { AdminFault } from '../../api/admin-fault.ts'
import { useCallAdmin } from '../../console-context.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { kitTexts } from '../../kit/texts.ts'
import { gatewayTexts } from './texts.ts'

interface Probe {
  ok: boolean
  says: string
  doubt: string | null
}

/** Asks a gateway's API whether it takes the access token, and says what to do where it does not. */
export function ProbeButton({ path, name }: { path: string; name: string }) {
  const texts = useTexts(gatewayTexts)
  const { failed } = useTexts(kitTexts)
  const callAdmin = useCallAdmin()
  const translate = useTranslate()
  const [probe, setProbe] = useState<Probe | 'asking'>()
  const [fault, setFault] = useState<string>()
  const ask = async () => {
    setProbe('asking')
    setFault(undefined)
    try {
      setProbe(await callAdmin<Probe>({ path, method: 'POST' }))
    } catch (error) {
      setProbe(undefined)
      setFault(error instanceof AdminFault ? translate(error.message) : failed)
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

function Found({ probe: { ok, says, doubt }, name }: { probe: Probe; name: string }) {
  const texts = useTexts(gatewayTexts)
  return (
    <Alert severity={ok ? 'success' : 'error'}>
      {ok ? texts.probeGood(name) : <AlertTitle>{texts.probeBad(name)}</AlertTitle>}
      {!ok && texts.probeWhy[whyOf(says)]}
      {!ok && (
        <Box sx={{ mt: 1 }}>
          {texts.serviceSays} <span lang="en">{says}</span>
        </Box>
      )}
      {doubt !== null && (
        <Box sx={{ mt: 1 }}>
          {texts.doubt}: <span lang="en">{doubt}</span>
        </Box>
      )}
    </Alert>
  )
}

/** The status that the service names tells what to do. */
function whyOf(says: string): 'refused' | 'elsewhere' | 'tooOften' | 'away' {
  if (/\((?:401|403)\)/.test(says)) return 'refused'
  if (/\(429\)/.test(says)) return 'tooOften'
  return /\((?:404|3\d\d)\)|no JSON/.test(says) ? 'elsewhere' : 'away'
}
