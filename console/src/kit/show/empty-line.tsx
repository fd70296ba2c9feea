import { Typography } from '@mui/material'
import type { ReactNode } from 'react'

/** The one line of a section that is empty. */
export function EmptyLine({ children }: { children: ReactNode }) {
  return (
    <Typography color="textSecondary" data-empty-line>
      {children}
    </Typography>
  )
}
