import { Alert, Button } from '@mui/material'
import { useTranslate } from 'react-admin'
import { AdminFault } from '../api/admin-fault.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { kitTexts } from './texts.ts'

/** A failed read: its object, the reason, and a button to try again. */
export function Failed({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) {
  const texts = useTexts(kitTexts)
  const translate = useTranslate()
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
      {error instanceof AdminFault ? translate(error.message) : texts.failed}
    </Alert>
  )
}
