import { Alert, Button, Stack, Typography } from '@mui/material'
import { useTexts } from '../i18n/use-texts.ts'
import { frameTexts } from '../texts.ts'

/** Shown instead of a page that failed: the explanation, and the message for developers. */
export function BrokenPage({ error, resetErrorBoundary }: { error: Error; resetErrorBoundary: (reason?: unknown) => void }) {
  const texts = useTexts(frameTexts).broken
  return (
    <Stack spacing={2} sx={{ maxWidth: 720, alignItems: 'flex-start' }}>
      <title>{`${texts.title} · Portaria`}</title>
      <Typography variant="h1">{texts.title}</Typography>
      <Typography>{texts.text}</Typography>
      <Alert severity="error">
        <code>{`${error.name}: ${error.message}`}</code>
      </Alert>
      <Button variant="contained" onClick={() => resetErrorBoundary()}>
        {texts.retry}
      </Button>
    </Stack>
  )
}
