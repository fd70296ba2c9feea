import { Button, Dialog, DialogActions, DialogContent, DialogContentText, DialogTitle, TextField } from '@mui/material'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useNotify, useRefresh, useTranslate } from 'react-admin'
import { AdminFault } from '../../api/admin-fault.ts'
import type { AdminRequest } from '../../api/admin-http.ts'
import { useCallAdmin } from '../../console-context.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { kitTexts } from '../texts.ts'
import { useFaultSentence } from '../use-fault-sentence.ts'
import { DialogFault } from './dialog-fault.tsx'

const REASON_MAX = 500

interface ActionButtonProps<Answer> {
  label: string
  /** The action's request; the reason is added to its body. */
  request: AdminRequest
  /** The consequences, and which of them can't be undone. */
  explains: ReactNode
  reason?: 'required' | 'optional' | 'none'
  tone?: 'plain' | 'danger'
  icon?: ReactNode
  /** Called with the service's answer. Without it, the page reports success and reads itself anew. */
  onDone?: (answer: Answer) => void
  /** Sentences for refusals, by the `reason` of a 409. */
  refusals?: Readonly<Record<string, string>>
  /** Labels of the inputs among the explanations, by the service's names: a refusal names its field. */
  fields?: Readonly<Record<string, string>>
  /** Called when it opens, so that no earlier input is left. */
  onOpen?: () => void
}

/** An action on a record: asks first, takes the reason, waits for an authentication if needed, and reports the result. */
export function ActionButton<Answer>({
  label,
  explains,
  reason = 'optional',
  tone = 'plain',
  icon,
  onOpen,
  ...action
}: ActionButtonProps<Answer>) {
  const [isOpen, setOpen] = useState(false)
  const open = () => {
    onOpen?.()
    setOpen(true)
  }
  const color = tone === 'danger' ? 'error' : 'primary'
  return (
    <>
      <Button variant="outlined" color={color} startIcon={icon} onClick={open}>
        {label}
      </Button>
      {isOpen && (
        <ActionDialog<Answer> {...action} label={label} explains={explains} reason={reason} color={color} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

type DialogProps<Answer> = Pick<ActionButtonProps<Answer>, 'label' | 'request' | 'explains' | 'onDone' | 'refusals' | 'fields'> & {
  reason: 'required' | 'optional' | 'none'
  color: 'error' | 'primary'
  onClose: () => void
}

function ActionDialog<Answer>({ label, request, explains, reason, color, onDone, refusals, fields, onClose }: DialogProps<Answer>) {
  const texts = useTexts(kitTexts)
  const callAdmin = useCallAdmin()
  const translate = useTranslate()
  const sentenceOf = useFaultSentence()
  const notify = useNotify()
  const refresh = useRefresh()
  const [typedReason, setTypedReason] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()

  const run = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFault(undefined)
    try {
      const answer = await callAdmin<Answer>(withReason(request, typedReason.trim()))
      onClose()
      if (onDone) return onDone(answer)
      notify(texts.done, { type: 'info' })
      refresh()
    } catch (error) {
      setFault(sentenceOf(error, exact))
      setBusy(false)
      // Another administrator was faster: the page reads itself anew, and the user decides again.
      if (error instanceof AdminFault && error.status === 412) refresh()
    }
  }
  const exact = ({ reason: why = '', body }: AdminFault) => {
    const wrong = Object.entries(body.errors).flatMap(([field, error]) => (fields?.[field] ? `${fields[field]}: ${translate(error)}` : []))
    return refusals?.[why] ?? (wrong.length > 0 ? wrong.join(' · ') : undefined)
  }
  return (
    <Dialog open onClose={() => !isBusy && onClose()} aria-labelledby="action-title" fullWidth maxWidth="xs">
      <form onSubmit={(event) => void run(event)}>
        <DialogTitle id="action-title">{label}</DialogTitle>
        <DialogContent>
          <DialogContentText component="div">{explains}</DialogContentText>
          {reason !== 'none' && (
            <TextField
              fullWidth
              multiline
              label={texts.reason}
              helperText={texts.reasonHelp}
              required={reason === 'required'}
              value={typedReason}
              onChange={({ target }) => setTypedReason(target.value)}
              slotProps={{ htmlInput: { maxLength: REASON_MAX } }}
              sx={{ mt: 2 }}
            />
          )}
          <DialogFault fault={fault} />
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2 }}>
          <Button onClick={onClose} disabled={isBusy}>
            {texts.cancel}
          </Button>
          <Button type="submit" variant="contained" color={color} disabled={isBusy}>
            {label}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Actions are POSTs by default. */
function withReason({ method = 'POST', body, ...request }: AdminRequest, reason: string): AdminRequest {
  const given = typeof body === 'object' && body !== null ? body : {}
  return { ...request, method, body: { ...given, ...(reason !== '' && { reason }) } }
}
