import CheckCircle from '@mui/icons-material/CheckCircleOutlined'
import ErrorOutline from '@mui/icons-material/ErrorOutlineOutlined'
import InfoOutlined from '@mui/icons-material/InfoOutlined'
import WarningAmber from '@mui/icons-material/WarningAmberOutlined'
import { Chip } from '@mui/material'

export type Tone = 'good' | 'warning' | 'bad' | 'neutral'

const looks = {
  good: { color: 'success', icon: <CheckCircle /> },
  warning: { color: 'warning', icon: <WarningAmber /> },
  bad: { color: 'error', icon: <ErrorOutline /> },
  neutral: { color: 'default', icon: <InfoOutlined /> },
} as const satisfies Record<Tone, object>

/** A word or two stay on one line, however narrow the column. */
const MAX_ONE_LINE = 24
/** A sentence wraps rather than lose its end. */
const wrapped = { height: 'auto', minHeight: 24, maxWidth: '100%', '& .MuiChip-label': { whiteSpace: 'normal', py: 0.25 } } as const

/** A state: by its word and its sign, and only in addition by colour. */
export function StatusChip({ tone, label }: { tone: Tone; label: string }) {
  return (
    <Chip size="small" variant="outlined" label={label} sx={label.length > MAX_ONE_LINE ? wrapped : { flex: 'none' }} {...looks[tone]} />
  )
}
