import Check from '@mui/icons-material/Check'
import ContentCopy from '@mui/icons-material/ContentCopy'
import { Box, IconButton, Tooltip } from '@mui/material'
import { useTexts } from '../../i18n/use-texts.ts'
import { kitTexts } from '../texts.ts'
import { useCopy } from './use-copy.ts'

/** An id, an address or a key with a copy button. `label` names it for screen readers; `short` shows only the last characters. */
export function CopyText({ text, label, short }: { text: string; label: string; short?: number }) {
  const texts = useTexts(kitTexts)
  const { copy, isCopied } = useCopy(text)
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, maxWidth: '100%' }}>
      <Box
        component="code"
        title={text}
        sx={{ fontSize: '0.8125rem', ...(short === undefined ? { overflowWrap: 'anywhere' } : { whiteSpace: 'nowrap' }) }}
      >
        {short === undefined || text.length <= short ? text : `…${text.slice(-short)}`}
      </Box>
      <Tooltip title={isCopied ? texts.copied : texts.copy(label)}>
        <IconButton size="small" onClick={() => void copy()} aria-label={isCopied ? texts.copied : texts.copy(label)}>
          {isCopied ? <Check fontSize="inherit" /> : <ContentCopy fontSize="inherit" />}
        </IconButton>
      </Tooltip>
    </Box>
  )
}
