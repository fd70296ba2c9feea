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

/** A state: by its word and its sign, and by colour only besides. */
export function StatusChip({ tone, label }: { tone: Tone; label: string }) {
  return <Chip size="small" variant="outlined" label={label} {...looks[tone]} />
}
