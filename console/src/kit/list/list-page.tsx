import { Alert, Card, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { type GetListResult, ListBase, type RaRecord, type SortPayload, useListContext } from 'react-admin'
import { retry } from '../../api/retry.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { PageHeading } from '../page-heading.tsx'
import { kitTexts } from '../texts.ts'
import type { Choosing } from './choosing.tsx'
import type { Column } from './columns.ts'
import { GaveWay, OwnTurns } from './gave-way.tsx'
import { type Filter, ListFilters } from './list-filters.tsx'
import { ListRows } from './list-rows.tsx'

const PAGE_ITEMS = 25
const COUNTING_MS = 5_000

/**
 * Faults are shown in the place of the rows. Rows stay until others are there; that there are none does not. A list that lacks what is
 * still being counted is read again soon.
 */
const options = {
  onError: () => undefined,
  retry,
  placeholderData: (before: GetListResult | undefined) => (before && before.data.length > 0 ? before : undefined),
  refetchInterval: ({ state }: { state: { data?: GetListResult | undefined } }) => (state.data?.meta?.isCounting ? COUNTING_MS : false),
} as const

export interface ListPageProps<Item extends RaRecord> {
  title: string
  /** The content of the list, in a sentence or two. */
  about?: string
  columns: ReadonlyArray<Column<Item>>
  /** By a name of the API's closed list, as `{ field: 'created_at', order: 'DESC' }`. */
  sort: SortPayload
  filters?: readonly Filter[]
  /** The page of a row; rows without one have no link. */
  pathOf?: (item: Item) => string | undefined
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
    <OwnTurns>
      <ListBase<Item> perPage={PAGE_ITEMS} sort={sort} exporter={false} queryOptions={options} {...(always && { filter: always })}>
        <PageHeading title={title} actions={actions} />
        {about !== undefined && <Typography sx={{ mb: 2, maxWidth: 720 }}>{about}</Typography>}
        {above}
        {filters.length > 0 && <ListFilters filters={filters} />}
        {beforeRows}
        <GaveWay />
        <Counting />
        <Card>
          <ListRows label={title} columns={columns} empty={empty} {...(pathOf && { pathOf })} {...(choosing && { choosing })} />
        </Card>
      </ListBase>
    </OwnTurns>
  )
}

function Counting() {
  const texts = useTexts(kitTexts)
  const { meta } = useListContext()
  if (!meta?.isCounting) return null
  return (
    <Alert severity="info" sx={{ mb: 2 }}>
      {texts.counting}
    </Alert>
  )
}

interface ListPartProps<Item extends RaRecord> {
  resource: string
  /** The list's owner, as `{ user_id: user.id }`. */
  filter: Record<string, string>
  label: string
  columns: ReadonlyArray<Column<Item>>
  sort: SortPayload
  pathOf?: (item: Item) => string | undefined
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
      queryOptions={options}
      disableSyncWithLocation
      storeKey={false}
    >
      <ListRows label={label} columns={columns} empty={empty} isPart {...(pathOf && { pathOf })} />
    </ListBase>
  )
}
