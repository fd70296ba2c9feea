import { Box, Table, TableBody, TableCell, TableContainer, TableHead, TableRow, Typography, useMediaQuery } from '@mui/material'
import type { Theme } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { hidden } from '../../../kit/show/values.tsx'

interface FiguresTableProps {
  caption: string
  /** The first is that of the rows' names. */
  heads: readonly string[]
  rows: ReadonlyArray<{ key: string; name: ReactNode; cells: readonly ReactNode[] }>
}

/** The same as a table where there is room for one; on a phone a block for each row. */
export function FiguresRows(props: FiguresTableProps) {
  const isTable = useMediaQuery<Theme>((theme) => theme.breakpoints.up('sm'), { noSsr: true })
  return isTable ? <FiguresTable {...props} /> : <FiguresBlocks {...props} />
}

function FiguresBlocks({ caption, heads: [, ...names], rows }: FiguresTableProps) {
  return (
    <Box component="ul" aria-label={caption} sx={{ m: 0, p: 0, listStyle: 'none' }}>
      {rows.map(({ key, name, cells }) => (
        <Box key={key} component="li" sx={{ py: 1.5, borderTop: 1, borderColor: 'divider', '&:first-of-type': { borderTop: 0, pt: 0 } }}>
          {name}
          <Box component="dl" sx={{ m: 0, mt: 0.75, display: 'grid', gridTemplateColumns: '1fr auto', columnGap: 2, rowGap: 0.5 }}>
            {cells.map((cell, place) => (
              <Box key={names[place]} sx={{ display: 'contents' }}>
                <Typography component="dt" variant="body2" color="textSecondary">
                  {names[place]}
                </Typography>
                <Typography component="dd" variant="body2" sx={{ m: 0, textAlign: 'right', fontVariantNumeric: 'tabular-nums' }}>
                  {cell}
                </Typography>
              </Box>
            ))}
          </Box>
        </Box>
      ))}
    </Box>
  )
}

/** Names beside figures. A table that is too wide scrolls. */
export function FiguresTable({ caption, heads, rows }: FiguresTableProps) {
  const [first, ...others] = heads
  return (
    <TableContainer tabIndex={0} role="group" aria-label={caption}>
      <Table size="small">
        <Box component="caption" sx={hidden}>
          {caption}
        </Box>
        <TableHead>
          <TableRow>
            <TableCell>{first}</TableCell>
            {others.map((head) => (
              <TableCell key={head} align="right" sx={{ '&&': { whiteSpace: 'normal' } }}>
                {head}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(({ key, name, cells }) => (
            <TableRow key={key}>
              <TableCell component="th" scope="row">
                {name}
              </TableCell>
              {cells.map((cell, place) => (
                <TableCell key={others[place]} align="right" sx={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
                  {cell}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  )
}
