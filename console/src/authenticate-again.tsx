import { Alert, Button, Dialog, DialogActions, DialogContent, DialogContentText, DialogTitle } from '@mui/material'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { ProofDesk } from './api/proof-desk.ts'
import { useTexts } from './i18n/use-texts.ts'
import { PROVE_PATH, PROVEN_CHANNEL } from './session.ts'
import { frameTexts } from './texts.ts'

/**
 * Asks the user to sign in again in another window, while the page behind keeps the typed text. The window announces its end by broadcast;
 * where that is impossible (separate storage, say), the user confirms it.
 */
export function AuthenticateAgain({ proofs }: { proofs: ProofDesk }) {
  const texts = useTexts(frameTexts).prove
  const question = useSyncExternalStore(proofs.subscribe, proofs.question)
  const opened = useRef<Window>(null)
  const isAsked = question !== undefined

  useEffect(() => {
    if (!isAsked) return
    const channel = new BroadcastChannel(PROVEN_CHANNEL)
    channel.onmessage = ({ data }) => {
      if (data !== 'authenticated') return
      opened.current?.close()
      void proofs.proven()
    }
    return () => channel.close()
  }, [isAsked, proofs])

  if (!question) return undefined
  const { need, problem } = question
  return (
    <Dialog open onClose={proofs.cancel} aria-labelledby="prove-title" aria-describedby="prove-text" fullWidth maxWidth="xs">
      <DialogTitle id="prove-title">{texts.title[need]}</DialogTitle>
      <DialogContent>
        <DialogContentText id="prove-text">{texts.text[need]}</DialogContentText>
        <div aria-live="polite">
          {problem && (
            <Alert severity="warning" sx={{ mt: 2 }}>
              {texts[problem]}
            </Alert>
          )}
        </div>
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap', gap: 1, px: 3, pb: 2 }}>
        <Button onClick={proofs.cancel}>{texts.cancel}</Button>
        {problem === 'other_user' ? (
          <Button onClick={() => location.reload()}>{texts.reload}</Button>
        ) : (
          <Button onClick={() => void proofs.proven()}>{texts.check}</Button>
        )}
        <Button
          variant="contained"
          autoFocus
          onClick={() => {
            opened.current = window.open(PROVE_PATH, 'portaria-authenticate', 'popup,width=520,height=720')
          }}
        >
          {texts.open}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
