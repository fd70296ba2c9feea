import { Box, Button, useMediaQuery } from '@mui/material'
import type { Theme } from '@mui/material/styles'
import { useRef, useState } from 'react'
import { type RaRecord, useListContext } from 'react-admin'
import { useTexts } from '../../i18n/use-texts.ts'
import { Failed } from '../failed.tsx'
import { EmptyLine } from '../show/empty-line.tsx'
import { kitTexts } from '../texts.ts'
import type { RowsProps } from './columns.ts'
import { Empty } from './empty.tsx'
import { ListBlocks } from './list-blocks.tsx'
import { ListPages } from './list-pages.tsx'
import { ListTable, type OnTooWide } from './list-table.tsx'
import { RowsToCome } from './rows-to-come.tsx'
import { useWidth } from './use-room.ts'

/** In pixels. */
const COLUMN_WIDTH = 100
const CHECKBOX_WIDTH = 48
/** The line of an empty list stands in the section around it, as if it had no frame. */
const FRAME = { '&:has(> [data-empty-line])': { display: 'contents' } }
/**
 * The rows of the list around it, with the pages below: a table, or where it has no room one block for each row. The first column names the
 * row and links to it.
 */
export function ListRows<Item extends RaRecord>({ columns, ...rest }: RowsProps<Item>) {
  const { filterValues } = useListContext()
  const props = { ...rest, columns: columns.filter(({ isFor }) => isFor?.(filterValues) ?? true) }
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const [needed, setNeeded] = useState(0)
  const isWide = useMediaQuery<Theme>((theme) => theme.breakpoints.up('md'), { noSsr: true })
  return (
    <Box ref={frame} sx={FRAME}>
      <RowsOrWhy
        {...props}
        isTable={isWide || width >= Math.max(leastWidth(props), needed)}
        // On a wide screen a table has more between its columns than it needs, and scrolls.
        onTooWide={isWide ? undefined : setNeeded}
      />
    </Box>
  )
}

/** The rows, or what stands in their place: that they are on their way, that there are none, or that they could not be read. */
function RowsOrWhy<Item extends RaRecord>({
  empty,
  isPart = false,
  isTable,
  onTooWide,
  ...props
}: RowsProps<Item> & { isTable: boolean; onTooWide: OnTooWide }) {
  const texts = useTexts(kitTexts)
  const { data, meta, error, isPending, isFetching, refetch, page, filterValues, setFilters } = useListContext<Item>()
  // A list that is read again and again keeps its rows when that fails once.
  if (error && !(data && meta?.isCounting)) return <Failed error={error} onRetry={refetch} />
  // Page 1 is shown in place of a page that does not exist.
  if (isPending || !data || (data.length === 0 && page > 1))
    return <RowsToCome label={texts.loading} isTable={isTable} columns={props.columns.length} />
  if (data.length === 0 && Object.keys(filterValues).length > 0) {
    return (
      <Empty title={texts.nothingFound}>
        <Button onClick={() => setFilters({}, {})}>{texts.clear}</Button>
      </Empty>
    )
  }
  if (data.length === 0 && isPart) return <EmptyLine>{empty ?? texts.emptyTitle}</EmptyLine>
  if (data.length === 0) return <Empty title={texts.emptyTitle}>{empty}</Empty>
  return (
    <Box aria-busy={isFetching}>
      {isTable ? <ListTable {...props} items={data} onTooWide={onTooWide} /> : <ListBlocks {...props} items={data} />}
      <ListPages />
    </Box>
  )
}

/** The width, in pixels, below which a table of so many columns need not be tried. */
function leastWidth({ columns, choosing }: { columns: readonly unknown[]; choosing?: unknown }): number {
  return columns.length * COLUMN_WIDTH + (choosing ? CHECKBOX_WIDTH : 0)
}
