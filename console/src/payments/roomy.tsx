import { Box } from '@mui/material'
import type { ReactNode } from 'react'

/** A value in a table that isn't squeezed below this width: words that may break anywhere otherwise do. */
export function Roomy({ rem, children }: { rem: number; children: ReactNode }) {
  return (
    <Box component="span" sx={{ display: 'inline-block', minWidth: { md: `${rem}rem` } }}>
      {children}
    </Box>
  )
}
