import { Card, CardContent, Stack, Typography } from '@mui/material'
import { type ReactNode, useId } from 'react'

/** A section that holds nothing is one line: its heading, what is missing, its actions. */
const emptyLine = {
  '&:has(> [data-empty-line], > * > [data-empty-line])': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'baseline',
    columnGap: 2,
    rowGap: 0.5,
    py: 1.5,
    '& > .MuiStack-root': { display: 'contents' },
    '& > .MuiStack-root > :not(h2)': { order: 1, ml: 'auto' },
  },
} as const

/** A part of a page with a heading of its own. */
export function Section({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <Card component="section" aria-labelledby={id} sx={{ mb: 2.5 }}>
      <CardContent sx={emptyLine}>
        <Stack
          data-actions
          direction="row"
          spacing={1}
          useFlexGap
          sx={{ mb: 1.5, flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between' }}
        >
          <Typography id={id} variant="h2">
            {title}
          </Typography>
          {actions}
        </Stack>
        {children}
      </CardContent>
    </Card>
  )
}
