import { Alert, AlertTitle, Button } from '@mui/material'
import { useTexts } from '../../i18n/use-texts.ts'
import { CopyText } from '../show/copy-text.tsx'
import { kitTexts } from '../texts.ts'

/** A key or token that the service gives out this once. */
export function SecretOnce({ label, secret, onKept }: { label: string; secret: string; onKept: () => void }) {
  const texts = useTexts(kitTexts)
  return (
    <Alert severity="warning" sx={{ mb: 2 }}>
      <AlertTitle>{label}</AlertTitle>
      <CopyText text={secret} label={label} />
      <div>{texts.shownOnce}</div>
      <Button variant="contained" onClick={onKept} sx={{ mt: 1 }}>
        {texts.kept}
      </Button>
    </Alert>
  )
}
