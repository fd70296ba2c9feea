import { Box, Typography } from '@mui/material'
import type { ReactNode } from 'react'

const BESIDE = '@container (min-width: 28rem)'

/**
 * The data of a record, as names and values: `[['E-mail', user.email], …]`. Beside each other where there is room for both, which depends
 * on the column and not on the screen. A name without a value is left out.
 */
export function Facts({ facts }: { facts: ReadonlyArray<readonly [name: string, value: ReactNode]> }) {
  return (
    <Box sx={{ containerType: 'inline-size' }}>
      <Box
        component="dl"
        sx={{
          m: 0,
          display: 'grid',
          gridTemplateColumns: '1fr',
          columnGap: 3,
          rowGap: 0.25,
          [BESIDE]: { gridTemplateColumns: 'minmax(9rem, 14rem) 1fr', rowGap: 1 },
        }}
      >
        {facts.filter(isKnown).map(([name, value]) => (
          <Box key={name} sx={{ display: 'contents' }}>
            <Typography component="dt" variant="body2" color="textSecondary" sx={{ pt: 1, [BESIDE]: { pt: 0.25 } }}>
              {name}
            </Typography>
            <Box component="dd" sx={{ m: 0, minWidth: 0 }}>
              {value}
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  )
}

function isKnown([, value]: readonly [string, ReactNode]): boolean {
  return value !== null && value !== undefined && value !== false && value !== ''
}
