import {
  Box,
  Button,
  Link,
  List,
  ListItem,
  Table,
  TableBody,
  TableCell,
  TableContainer,
  TableHead,
  TableRow,
  type TableRowProps,
  TableSortLabel,
  Typography,
  useMediaQuery,
} from '@mui/material'
import type { Theme } from '@mui/material/styles'
import { type MouseEvent, type ReactNode, useRef, useState } from 'react'
import { type RaRecord, useListContext } from 'react-admin'
import { Link as RouterLink, useNavigate } from 'react-router-dom'
import { useTexts } from '../../i18n/use-texts.ts'
import { Failed } from '../failed.tsx'
import { EmptyLine } from '../show/empty-line.tsx'
import { hidden } from '../show/values.tsx'
import { kitTexts } from '../texts.ts'
import { ChooseAll, ChooseOne, type Choosing } from './choosing.tsx'
import { Empty } from './empty.tsx'
import { ListPages } from './list-pages.tsx'
import { RowsToCome } from './rows-to-come.tsx'
import { useOverflow, useWidth } from './use-room.ts'

export interface Column<Item> {
  label: string
  /** `false` where this row shows nothing, not even a dash. */
  value: (item: Item) => ReactNode
  /** The API's name of this order, where the list has it. */
  sortBy?: string
}

interface RowsProps<Item> {
  label: string
  columns: ReadonlyArray<Column<Item>>
  pathOf?: (item: Item) => string
  empty?: ReactNode
  /** A list inside another page says in one line that it is empty. */
  isPart?: boolean
  choosing?: Choosing<Item>
}

/** In pixels. */
const COLUMN_WIDTH = 100
const CHECKBOX_WIDTH = 48
/** Less between columns where there is less room for them. */
const CELLS = { '& th, & td': { px: { xs: 1, lg: 2 } } }
/** Names beside values: on a tablet two pairs in a line. */
const FACTS = { xs: 'minmax(6rem, auto) 1fr', sm: 'minmax(6rem, auto) 1fr minmax(6rem, auto) 1fr' }

/**
 * The rows of the list around it, with the pages below: a table, or where it has no room one block for each row. The first column names the
 * row and links to it.
 */
export function ListRows<Item extends RaRecord>(props: RowsProps<Item>) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const [needed, setNeeded] = useState(0)
  const isWide = useMediaQuery<Theme>((theme) => theme.breakpoints.up('md'), { noSsr: true })
  return (
    <Box ref={frame}>
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
  const { data, error, isPending, isFetching, refetch, page, setPage, filterValues, setFilters } = useListContext<Item>()
  if (error) return <Failed error={error} onRetry={refetch} />
  if (isPending || !data) return <RowsToCome label={texts.loading} isTable={isTable} columns={props.columns.length} />
  if (data.length === 0 && page > 1) {
    return (
      <Empty title={texts.pageMissing}>
        <Button onClick={() => setPage(1)}>{texts.firstPage}</Button>
      </Empty>
    )
  }
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
      {isTable ? <Rows {...props} items={data} onTooWide={onTooWide} /> : <Blocks {...props} items={data} />}
      <ListPages />
    </Box>
  )
}

/** The width, in pixels, below which a table of so many columns need not be tried. */
function leastWidth({ columns, choosing }: { columns: readonly unknown[]; choosing?: unknown }): number {
  return columns.length * COLUMN_WIDTH + (choosing ? CHECKBOX_WIDTH : 0)
}

/** Hears how much room a table needs, in pixels, where it has less. */
type OnTooWide = ((needed: number) => void) | undefined

interface TableProps<Item> extends RowsProps<Item> {
  items: readonly Item[]
  onTooWide: OnTooWide
}

function Rows<Item extends RaRecord>({ label, columns, pathOf, choosing, items, onTooWide }: TableProps<Item>) {
  const navigate = useNavigate()
  const container = useRef<HTMLDivElement>(null)
  useOverflow(container, items, onTooWide)
  return (
    <TableContainer ref={container}>
      <Table size="small" sx={CELLS}>
        <Box component="caption" sx={hidden}>
          {label}
        </Box>
        <TableHead>
          <TableRow>
            {choosing && (
              <TableCell padding="checkbox">
                <ChooseAll choosing={choosing} items={items} />
              </TableCell>
            )}
            {columns.map((column) => (
              <ColumnHead key={column.label} {...column} />
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {items.map((item) => (
            <TableRow key={item.id} hover {...(pathOf && leadsTo(() => void navigate(pathOf(item))))}>
              {choosing && (
                <TableCell padding="checkbox">
                  <ChooseOne choosing={choosing} item={item} />
                </TableCell>
              )}
              {columns.map(({ label: name, value }, i) => (
                <TableCell key={name} {...(i === 0 && { component: 'th', scope: 'row' })}>
                  {i === 0 && pathOf ? <RowLink to={pathOf(item)}>{value(item)}</RowLink> : value(item)}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  )
}

/** A click anywhere in a row, except on a control or on selected text. Keyboards and screen readers use the link of the first column. */
function leadsTo(go: () => void): TableRowProps {
  const onClick = ({ target }: MouseEvent<HTMLTableRowElement>) => {
    const isOwn = target instanceof Element && target.closest('a, button, input, label') !== null
    if (!isOwn && getSelection()?.isCollapsed !== false) go()
  }
  return { onClick, sx: { cursor: 'pointer' } }
}

function ColumnHead({ label, sortBy }: { label: string; sortBy?: string }) {
  const texts = useTexts(kitTexts)
  const { sort, setSort } = useListContext()
  if (sortBy === undefined) return <TableCell>{label}</TableCell>
  const isActive = sort.field === sortBy
  const direction = sort.order === 'ASC' ? 'asc' : 'desc'
  return (
    <TableCell sortDirection={isActive ? direction : false}>
      <TableSortLabel
        active={isActive}
        direction={isActive ? direction : 'desc'}
        title={texts.sort(label)}
        onClick={() => setSort({ field: sortBy, order: isActive && sort.order === 'DESC' ? 'ASC' : 'DESC' })}
      >
        {label}
      </TableSortLabel>
    </TableCell>
  )
}

function Blocks<Item extends RaRecord>({
  label,
  columns: [first, ...rest],
  pathOf,
  choosing,
  items,
}: RowsProps<Item> & { items: readonly Item[] }) {
  return (
    <List aria-label={label} disablePadding>
      {choosing && (
        <ListItem divider sx={{ py: 0 }}>
          <ChooseAll choosing={choosing} items={items} isNamed />
        </ListItem>
      )}
      {items.map((item) => (
        <ListItem key={item.id} divider sx={{ display: 'block', py: 1.5 }}>
          <Box sx={{ fontWeight: 600, mb: 0.5 }}>
            {choosing && <ChooseOne choosing={choosing} item={item} />}
            {pathOf ? <RowLink to={pathOf(item)}>{first?.value(item)}</RowLink> : first?.value(item)}
          </Box>
          <Box component="dl" sx={{ m: 0, display: 'grid', gridTemplateColumns: FACTS, columnGap: 2, rowGap: 0.25 }}>
            {rest.map(({ label: name, value }) => {
              const shown = value(item)
              return (
                shown !== false && (
                  <Box key={name} sx={{ display: 'contents' }}>
                    <Typography component="dt" variant="body2" color="textSecondary">
                      {name}
                    </Typography>
                    <Typography component="dd" variant="body2" sx={{ m: 0, minWidth: 0 }}>
                      {shown}
                    </Typography>
                  </Box>
                )
              )
            })}
          </Box>
        </ListItem>
      ))}
    </List>
  )
}

function RowLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link data-row-link component={RouterLink} to={to} underline="hover" sx={{ fontWeight: 600 }}>
      {children}
    </Link>
  )
}
