import { Alert, AlertTitle, Box, Typography } from '@mui/material'
import { useTexts } from '../i18n/use-texts.ts'
import { CodeLines } from '../products/doors/code-lines.tsx'
import { testTexts } from './texts.ts'

/** The advice for a service without the secret, shown before anything is sent. */
export function SecretMissing() {
  const { missing } = useTexts(testTexts)
  return (
    <Alert severity="warning" sx={{ mb: 2.5, maxWidth: 960, '& .MuiAlert-message': { minWidth: 0 } }}>
      <AlertTitle>{missing.title}</AlertTitle>
      <Typography>{missing.text}</Typography>
      <Box component="ol" sx={{ mb: 0, pl: 2.5 }}>
        <li>
          {missing.make}
          <CodeLines text="openssl rand -hex 32" label={missing.makeCommand} />
        </li>
        <li>
          {missing.put}
          <CodeLines text={`PORTARIA_WEBHOOK_SECRET='${missing.value}' npm start`} label={missing.putCommand} />
        </li>
        <li>{missing.give}</li>
      </Box>
    </Alert>
  )
}
