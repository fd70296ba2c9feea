import { Box, Skeleton } from '@mui/material'

const ROWS = 8
/** Of a row and of a block, in pixels: what comes moves little below. */
const ROW_HEIGHT = 44
const BLOCK_HEIGHT = 132

/** The room of a list until its rows are there: as many columns, grey. */
export function RowsToCome({ label, isTable, columns }: { label: string; isTable: boolean; columns: number }) {
  const look = isTable ? { row: ROW_HEIGHT, bar: 14 } : { row: BLOCK_HEIGHT, bar: 88 }
  return (
    <Box role="progressbar" aria-label={label} sx={{ px: 1.5 }}>
      {countTo(ROWS).map((row) => (
        <Box
          key={row}
          sx={{ display: 'flex', gap: 3, alignItems: 'center', height: look.row, borderTop: row === 0 ? 0 : 1, borderColor: 'divider' }}
        >
          {countTo(isTable ? columns : 1).map((column) => (
            <Skeleton key={column} variant="rounded" height={look.bar} sx={{ flex: isTable && column > 0 ? '0 1 8rem' : 1 }} />
          ))}
        </Box>
      ))}
    </Box>
  )
}

function countTo(number: number): number[] {
  return Array.from({ length: number }, (_, place) => place)
}
