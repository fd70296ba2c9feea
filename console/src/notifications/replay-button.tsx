import { Button, Dialog, DialogActions, DialogContent, DialogTitle, TextField, Typography } from '@mui/material'
import { useState } from 'react'
import { useRefresh } from 'react-admin'
import { adminPath } from '../api/admin-http.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ActionButton } from '../kit/form/action-button.tsx'
import { labelOf } from '../payments/label-of.ts'
import { actionTexts } from './action-texts.ts'
import { whyTexts } from './why-texts.ts'

/** The result of trying again. */
interface Replayed {
  processed: number
  pending: number
  /** The numbers of those still pending, by reason. */
  why: Record<string, number>
}

const DAY_MS = 86_400_000

/** Tries everything again that waits, since a moment that the user chooses: a day ago unless they do. */
export function ReplayButton() {
  const texts = useTexts(actionTexts)
  const [since, setSince] = useState(() => toField(new Date(Date.now() - DAY_MS)))
  const [replayed, setReplayed] = useState<Replayed>()
  const moment = new Date(since)
  return (
    <>
      <ActionButton<Replayed>
        label={texts.replay}
        request={{
          path: adminPath('notifications', 'reprocess'),
          body: Number.isNaN(moment.getTime()) ? {} : { since: moment.toISOString() },
        }}
        explains={
          <>
            {texts.replayExplains}
            <TextField
              fullWidth
              required
              type="datetime-local"
              label={texts.replaySince}
              value={since}
              onChange={({ target }) => setSince(target.value)}
              slotProps={{ inputLabel: { shrink: true } }}
              sx={{ mt: 2 }}
            />
          </>
        }
        onDone={setReplayed}
      />
      {replayed && <Outcome replayed={replayed} onClose={() => setReplayed(undefined)} />}
    </>
  )
}

function Outcome({ replayed: { processed, pending, why }, onClose }: { replayed: Replayed; onClose: () => void }) {
  const texts = useTexts(actionTexts)
  const { short } = useTexts(whyTexts)
  const refresh = useRefresh()
  const close = () => {
    onClose()
    refresh()
  }
  return (
    <Dialog open onClose={close} aria-labelledby="replayed-title" fullWidth maxWidth="xs">
      <DialogTitle id="replayed-title">{texts.replayed}</DialogTitle>
      <DialogContent>
        <Typography>{texts.processed(processed)}</Typography>
        <Typography>{texts.pending(pending)}</Typography>
        {pending > 0 && (
          <ul>
            {Object.entries(why).map(([name, count]) => (
              <li key={name}>{`${labelOf(short, name)}: ${count}`}</li>
            ))}
          </ul>
        )}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button variant="contained" onClick={close}>
          {texts.close}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** A moment in the user's own zone, as fields of type `datetime-local` want it. */
function toField(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
