import { Box } from '@mui/material'
import type { ReactNode } from 'react'

/** Inputs one below the other, as wide as the form. */
export function FormFields({ children }: { children: ReactNode }) {
  return (
    <Box
      sx={{
        display: 'flex',
        flexDirection: 'column',
        gap: 0.5,
        '& .MuiFormControl-root': { width: '100%' },
        '& .RaSimpleFormIterator-form': { width: '100%' },
      }}
    >
      {children}
    </Box>
  )
}
