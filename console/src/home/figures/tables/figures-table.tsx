import { Box, Table, TableBody, TableCell, TableContainer, TableHead, TableRow } from '@mui/material'
import type { ReactNode } from 'react'
import { hidden } from '../../../kit/show/values.tsx'

interface FiguresTableProps {
  caption: string
  /** The first is that of the rows' names. */
  heads: readonly string[]
  rows: ReadonlyArray<{ key: string; name: ReactNode; cells: readonly ReactNode[] }>
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
