import { Box, Table, TableBody, TableCell, TableContainer, TableHead, TableRow, type TableRowProps, TableSortLabel } from '@mui/material'
import { type MouseEvent, useRef } from 'react'
import { type RaRecord, useListContext } from 'react-admin'
import { useNavigate } from 'react-router-dom'
import { useTexts } from '../../i18n/use-texts.ts'
import { hidden } from '../show/values.tsx'
import { kitTexts } from '../texts.ts'
import { ChooseAll, ChooseOne } from './choosing.tsx'
import type { Column, ShownRows } from './columns.ts'
import { RowLink } from './row-link.tsx'
import { useOverflow } from './use-room.ts'

/** Less between columns where there is less room for them. */
const CELLS = { '& th, & td': { px: { xs: 1, lg: 2 } } }

/** Hears how much room a table needs, in pixels, where it has less. */
export type OnTooWide = ((needed: number) => void) | undefined

interface TableProps<Item> extends ShownRows<Item> {
  onTooWide: OnTooWide
}

/** The rows as a table. A click anywhere in one leads to its page. */
export function ListTable<Item extends RaRecord>({ label, columns, pathOf, choosing, items, onTooWide }: TableProps<Item>) {
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
            <TableRow key={item.id} hover {...leadsTo(pathOf?.(item), navigate)}>
              {choosing && (
                <TableCell padding="checkbox">
                  <ChooseOne choosing={choosing} item={item} />
                </TableCell>
              )}
              {columns.map(({ label: name, value, align }, i) => (
                <TableCell key={name} {...(align && { align })} {...(i === 0 && { component: 'th', scope: 'row' })}>
                  {i === 0 ? <RowLink to={pathOf?.(item)}>{value(item)}</RowLink> : value(item)}
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
function leadsTo(path: string | undefined, navigate: (path: string) => unknown): TableRowProps {
  if (path === undefined) return {}
  const onClick = ({ target }: MouseEvent<HTMLTableRowElement>) => {
    const isOwn = target instanceof Element && target.closest('a, button, input, label') !== null
    if (!isOwn && getSelection()?.isCollapsed !== false) navigate(path)
  }
  return { onClick, sx: { cursor: 'pointer' } }
}

function ColumnHead({ label, align, sortBy }: Pick<Column<unknown>, 'label' | 'align' | 'sortBy'>) {
  const texts = useTexts(kitTexts)
  const { sort, setSort } = useListContext()
  if (sortBy === undefined) return <TableCell {...(align && { align })}>{label}</TableCell>
  const isActive = sort.field === sortBy
  const direction = sort.order === 'ASC' ? 'asc' : 'desc'
  return (
    <TableCell {...(align && { align })} sortDirection={isActive ? direction : false}>
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
