import { Button, Dialog, DialogActions, DialogContent, DialogContentText, DialogTitle } from '@mui/material'
import { type FormEvent, useState } from 'react'
import { useNotify, useRefresh } from 'react-admin'
import { AdminFault } from '../../api/admin-fault.ts'
import { useCallAdmin } from '../../console-context.ts'
import { type Fault, sentenceOf } from '../../faults/fault.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { DialogFault } from '../../kit/form/dialog-fault.tsx'
import { useFaultSentence } from '../../kit/use-fault-sentence.ts'
import { CredentialFields, type Given, nothingGiven } from './credential-fields.tsx'
import { gatewayFaultTexts } from './fault-texts.ts'
import { gatewayTexts } from './texts.ts'

interface DialogProps {
  path: string
  gateway: string
  name: string
  title: string
  onClose: () => void
}

/** A gateway's credentials. */
export function CredentialsDialog({ path, gateway, name, title, onClose }: DialogProps) {
  const texts = useTexts(gatewayTexts)
  const faults = useTexts(gatewayFaultTexts)
  const notify = useNotify()
  const refresh = useRefresh()
  const [given, setGiven] = useState<Given>(nothingGiven)
  const { send, isBusy, fault, fields } = useGiving(path)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // A button that is disabled while it has the focus loses it, and Escape with it.
    if (isBusy) return
    const kept = await send(given)
    if (!kept) return
    const { warning } = kept
    const said = warning === null ? texts.given : `${texts.given}. ${texts.warning}. ${sentenceOf(warning, faults) ?? warning.says}`
    notify(said, { type: warning === null ? 'info' : 'warning' })
    onClose()
    refresh()
  }
  return (
    <Dialog open onClose={() => !isBusy && onClose()} aria-labelledby="credentials-title" fullWidth maxWidth="sm">
      <form onSubmit={(event) => void submit(event)} autoComplete="off">
        <DialogTitle id="credentials-title">{`${title}: ${name}`}</DialogTitle>
        <DialogContent>
          <DialogContentText sx={{ mb: 1 }}>{texts.giveAbout}</DialogContentText>
          <CredentialFields gateway={gateway} given={given} wrong={fields} onChange={(part) => setGiven({ ...given, ...part })} />
          <DialogFault fault={fault} />
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2 }}>
          <Button onClick={onClose} disabled={isBusy}>
            {texts.cancel}
          </Button>
          <Button type="submit" variant="contained" aria-disabled={isBusy}>
            {title}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Sends them; `undefined` after a refusal, which is shown beside the fields. */
function useGiving(path: string) {
  const callAdmin = useCallAdmin()
  const faultSentence = useFaultSentence()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const [fields, setFields] = useState<readonly string[]>([])
  const send = async ({ secret, token, apiUrl, isTest }: Given): Promise<{ warning: Fault | null } | undefined> => {
    setBusy(true)
    setFault(undefined)
    try {
      const body = { webhook_secret: secret, access_token: token, is_test: isTest, ...(apiUrl !== '' && { api_url: apiUrl }) }
      return await callAdmin<{ warning: Fault | null }>({ path, method: 'PUT', body })
    } catch (error) {
      setFields(error instanceof AdminFault ? Object.keys(error.body.errors) : [])
      setFault(faultSentence(error))
      setBusy(false)
      return undefined
    }
  }
  return { send, isBusy, fault, fields }
}
