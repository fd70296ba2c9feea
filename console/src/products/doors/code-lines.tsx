import ContentCopy from '@mui/icons-material/ContentCopy'
import { Box, Button } from '@mui/material'
import { useTexts } from '../../i18n/use-texts.ts'
import { useCopy } from '../../kit/show/use-copy.ts'
import { kitTexts } from '../../kit/texts.ts'

/** Lines to copy as a whole. `label` says what they are. */
export function CodeLines({ text, label }: { text: string; label: string }) {
  const texts = useTexts(kitTexts)
  const { copy, isCopied } = useCopy(text)
  return (
    <Box sx={{ my: 1 }}>
      <Box
        component="pre"
        // A region that scrolls must be reachable by keyboard.
        tabIndex={0}
        role="region"
        aria-label={label}
        sx={{
          m: 0,
          p: 1.5,
          borderRadius: 1,
          bgcolor: 'action.hover',
          fontSize: '0.8125rem',
          whiteSpace: 'pre-wrap',
          overflowWrap: 'anywhere',
        }}
      >
        {text}
      </Box>
      <Button size="small" startIcon={<ContentCopy />} onClick={() => void copy()} aria-live="polite" sx={{ mt: 0.5 }}>
        {isCopied ? texts.copied : texts.copy(label)}
      </Button>
    </Box>
  )
}
