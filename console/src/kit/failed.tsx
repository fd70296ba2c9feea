import { Alert, Button } from '@mui/material'
import { useTexts } from '../i18n/use-texts.ts'
import { kitTexts } from './texts.ts'
import { useFaultSentence } from './use-fault-sentence.ts'

/** A failed read: its object, the reason, and a button to try again. */
export function Failed({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) {
  const texts = useTexts(kitTexts)
  const sentenceOf = useFaultSentence()
  return (
    <Alert
      severity="error"
      action={
        onRetry && (
          <Button color="inherit" onClick={() => void onRetry()}>
            {texts.retry}
          </Button>
        )
      }
    >
      {sentenceOf(error)}
    </Alert>
  )
}
