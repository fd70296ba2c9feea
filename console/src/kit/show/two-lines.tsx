import { Typography } from '@mui/material'
import type { ReactNode } from 'react'

/** A value, and below it what belongs to it, where there is such a thing. */
export function TwoLines({ first, second }: { first: ReactNode; second: ReactNode }) {
  return (
    <>
      {first}
      {second !== null && (
        <Typography component="div" variant="body2" color="textSecondary">
          {second}
        </Typography>
      )}
    </>
  )
}
