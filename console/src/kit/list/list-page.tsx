import { Card, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { ListBase, type RaRecord, type SortPayload } from 'react-admin'
import { PageHeading } from '../page-heading.tsx'
import type { Choosing } from './choosing.tsx'
import { type Filter, ListFilters } from './list-filters.tsx'
import { type Column, ListRows } from './list-rows.tsx'

const PAGE_ITEMS = 25
/** Faults are shown in the place of the rows. */
const silent = { onError: () => undefined }

export interface ListPageProps<Item extends RaRecord> {
  title: string
  /** The content of the list, in a sentence or two. */
  about?: string
  columns: ReadonlyArray<Column<Item>>
  /** By a name of the API's closed list, as `{ field: 'created_at', order: 'DESC' }`. */
  sort: SortPayload
  filters?: readonly Filter[]
  /** The page of a row; rows of a list without a show page have no link. */
  pathOf?: (item: Item) => string
  /** Shown when there is nothing at all, not when filters hide it. */
  empty?: ReactNode
  actions?: ReactNode
  /** A filter that always applies and is not shown. */
  always?: Record<string, string>
  /** Above the filters, and between them and the rows. */
  above?: ReactNode
  beforeRows?: ReactNode
  choosing?: Choosing<Item>
}

/** The list of a resource: heading, filters, rows that sort, pages. Its address holds filters, order and page. */
export function ListPage<Item extends RaRecord>({
  title,
  about,
  columns,
  sort,
  filters = [],
  pathOf,
  empty,
  actions,
  always,
  above,
  beforeRows,
  choosing,
}: ListPageProps<Item>) {
  return (
    <ListBase<Item> perPage={PAGE_ITEMS} sort={sort} exporter={false} queryOptions={silent} {...(always && { filter: always })}>
      <PageHeading title={title} actions={actions} />
      {about !== undefined && <Typography sx={{ mb: 2, maxWidth: 720 }}>{about}</Typography>}
      {above}
      {filters.length > 0 && <ListFilters filters={filters} />}
      {beforeRows}
      <Card>
        <ListRows label={title} columns={columns} empty={empty} {...(pathOf && { pathOf })} {...(choosing && { choosing })} />
      </Card>
    </ListBase>
  )
}

interface ListPartProps<Item extends RaRecord> {
  resource: string
  /** The list's owner, as `{ user_id: user.id }`. */
  filter: Record<string, string>
  label: string
  columns: ReadonlyArray<Column<Item>>
  sort: SortPayload
  pathOf?: (item: Item) => string
  empty?: ReactNode
}

/** A list inside another page, as the sessions of a user: its order and page are not in the address. */
export function ListPart<Item extends RaRecord>({ resource, filter, label, columns, sort, pathOf, empty }: ListPartProps<Item>) {
  return (
    <ListBase<Item>
      resource={resource}
      filter={filter}
      perPage={10}
      sort={sort}
      exporter={false}
      queryOptions={silent}
      disableSyncWithLocation
      storeKey={false}
    >
      <ListRows label={label} columns={columns} empty={empty} isPart {...(pathOf && { pathOf })} />
    </ListBase>
  )
}
