import { Box, Link, type SvgIcon, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { Link as RouterLink } from 'react-router-dom'
import { Time } from './values.tsx'

interface TimelineRowProps {
  icon: typeof SvgIcon
  title: ReactNode
  /** The page of the event. */
  path?: string | null
  at: string
  /** Below the title, smaller. */
  children?: ReactNode
}

/** A list of events, the newest first: each with its sign, what happened, and when. */
export function TimelineRows({ label, isBusy = false, children }: { label: string; isBusy?: boolean; children: ReactNode }) {
  return (
    <Box component="ol" aria-label={label} aria-busy={isBusy} sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {children}
    </Box>
  )
}

export function TimelineRow({ icon: Icon, title, path = null, at, children }: TimelineRowProps) {
  return (
    <Box
      component="li"
      sx={{ display: 'flex', gap: 1.5, py: 1, borderTop: 1, borderColor: 'divider', '&:first-of-type': { borderTop: 0 } }}
    >
      <Icon fontSize="small" aria-hidden="true" sx={{ mt: 0.25, color: 'text.secondary' }} />
      <Box sx={{ minWidth: 0, flex: 1, display: { sm: 'flex' }, justifyContent: 'space-between', gap: 2 }}>
        <Box sx={{ minWidth: 0 }}>
          {path === null ? (
            <Typography>{title}</Typography>
          ) : (
            <Link component={RouterLink} to={path}>
              {title}
            </Link>
          )}
          {children !== undefined && (
            <Typography variant="body2" color="textSecondary" component="div" sx={{ a: { textDecoration: 'underline' } }}>
              {children}
            </Typography>
          )}
        </Box>
        <Typography variant="body2" color="textSecondary" sx={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
          <Time at={at} />
        </Typography>
      </Box>
    </Box>
  )
}
