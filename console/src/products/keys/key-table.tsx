import { Box } from '@mui/material'
import type { ReactNode } from 'react'
import { useTexts } from '../../i18n/use-texts.ts'
import { StatusChip } from '../../kit/show/status-chip.tsx'
import { Time } from '../../kit/show/values.tsx'
import { keyTexts } from './texts.ts'

interface Key {
  id: string
  hint: string
  created_at: string
  revoked_at: string | null
}

interface KeysProps<K extends Key> {
  label: string
  keys: readonly K[]
  /** A remark beside a key's age. */
  more?: (key: K) => ReactNode
  actions?: (key: K) => ReactNode
}

/** Keys by their hints, the live ones first; blocks that fit a phone. */
export function KeyTable<K extends Key>({ label, keys, more, actions }: KeysProps<K>) {
  return (
    <Box component="ul" aria-label={label} sx={{ m: 0, p: 0, listStyle: 'none' }}>
      {liveFirst(keys).map((key) => (
        <KeyRow key={key.id} one={key} more={more?.(key)} actions={actions?.(key)} />
      ))}
    </Box>
  )
}

function KeyRow({ one: { hint, created_at, revoked_at }, more, actions }: { one: Key; more: ReactNode; actions: ReactNode }) {
  const texts = useTexts(keyTexts)
  return (
    <Box
      component="li"
      sx={{ py: 1, display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center', borderBottom: '1px solid', borderColor: 'divider' }}
    >
      <Box sx={{ flex: '0 1 11rem' }}>
        <code>{hint}</code>
      </Box>
      <Box sx={{ flex: '1 1 14rem', fontSize: '0.875rem', color: 'text.secondary' }}>
        {texts.createdAt} <Time at={created_at} />
        {more !== undefined && <Box>{more}</Box>}
      </Box>
      <StatusChip tone={revoked_at === null ? 'good' : 'neutral'} label={revoked_at === null ? texts.live : texts.ended} />
      {actions}
    </Box>
  )
}

function liveFirst<K extends Key>(keys: readonly K[]): K[] {
  const rank = ({ revoked_at }: K) => (revoked_at === null ? 0 : 1)
  return keys.toSorted((a, b) => rank(a) - rank(b) || (a.created_at < b.created_at ? 1 : -1))
}
