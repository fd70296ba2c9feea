import { Box, Typography } from '@mui/material'
import type { ReactNode } from 'react'

/** Shown instead of an empty list: its usual content, and what to do. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Box sx={{ py: 6, px: 2, textAlign: 'center' }}>
      <Typography sx={{ fontWeight: 600 }}>{title}</Typography>
      {children !== undefined && <Box sx={{ mt: 1, color: 'text.secondary' }}>{children}</Box>}
    </Box>
  )
}
