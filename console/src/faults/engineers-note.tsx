import { Box } from '@mui/material'
import { useTexts } from '../i18n/use-texts.ts'
import { kitTexts } from '../kit/texts.ts'

/** The service's own message for its operator, in English. */
export function EngineersNote({ says }: { says: string }) {
  const { serviceSays } = useTexts(kitTexts)
  return (
    <Box sx={{ mt: 0.5, typography: 'body2', color: 'text.secondary', overflowWrap: 'anywhere' }}>
      {serviceSays} <span lang="en">{says}</span>
    </Box>
  )
}
