import { Alert, Button, Dialog, DialogActions, DialogContent, DialogContentText, DialogTitle } from '@mui/material'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { Reauthentication } from './api/reauthentication.ts'
import { useTexts } from './i18n/use-texts.ts'
import { AUTHENTICATED_CHANNEL, REAUTHENTICATE_PATH } from './session.ts'
import { frameTexts } from './texts.ts'

/**
 * Asks the user to sign in again in another window, while the page behind keeps the typed text. The window announces its end by broadcast;
 * where that is impossible (separate storage, say), the user confirms it.
 */
export function AuthenticateAgain({ reauthentication }: { reauthentication: Reauthentication }) {
  const texts = useTexts(frameTexts).reauthenticate
  const question = useSyncExternalStore(reauthentication.subscribe, reauthentication.question)
  const opened = useRef<Window>(null)
  const isAsked = question !== undefined

  useEffect(() => {
    if (!isAsked) return
    const channel = new BroadcastChannel(AUTHENTICATED_CHANNEL)
    channel.onmessage = ({ data }) => {
      if (data !== 'authenticated') return
      opened.current?.close()
      void reauthentication.authenticated()
    }
    return () => channel.close()
  }, [isAsked, reauthentication])

  if (!question) return undefined
  const { need, problem } = question
  return (
    <Dialog
      open
      onClose={reauthentication.cancel}
      aria-labelledby="reauthenticate-title"
      aria-describedby="reauthenticate-text"
      fullWidth
      maxWidth="xs"
    >
      <DialogTitle id="reauthenticate-title">{texts.title[need]}</DialogTitle>
      <DialogContent>
        <DialogContentText id="reauthenticate-text">{texts.text[need]}</DialogContentText>
        <div aria-live="polite">
          {problem && (
            <Alert severity="warning" sx={{ mt: 2 }}>
              {texts[problem]}
            </Alert>
          )}
        </div>
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap', gap: 1, px: 3, pb: 2 }}>
        <Button onClick={reauthentication.cancel}>{texts.cancel}</Button>
        {problem === 'other_user' ? (
          <Button onClick={() => location.reload()}>{texts.reload}</Button>
        ) : (
          <Button onClick={() => void reauthentication.authenticated()}>{texts.check}</Button>
        )}
        <Button
          variant="contained"
          autoFocus
          onClick={() => {
            opened.current = window.open(REAUTHENTICATE_PATH, 'portaria-authenticate', 'popup,width=520,height=720')
          }}
        >
          {texts.open}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
