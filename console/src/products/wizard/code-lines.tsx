import ContentCopy from '@mui/icons-material/ContentCopy'
import { Box, Button } from '@mui/material'
import { useState } from 'react'
import { useNotify } from 'react-admin'
import { useTexts } from '../../i18n/use-texts.ts'
import { kitTexts } from '../../kit/texts.ts'

const SHOWN_MS = 2_000

/** Lines to copy as a whole. `label` says what they are. */
export function CodeLines({ text, label }: { text: string; label: string }) {
  const texts = useTexts(kitTexts)
  const notify = useNotify()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      setTimeout(() => setCopied(false), SHOWN_MS)
    } catch {
      notify(texts.copyFailed, { type: 'warning' })
    }
  }
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
