import { z } from 'zod'
import type { Page, PageAfter } from '../../storage/index.ts'
import type { Caller } from './caller.ts'
import type { Cursors } from './cursor.ts'
import type { Refused } from './refusals.ts'

const MOST = 100
const USUAL = '25'
/** A cursor holds the column of the order: an address has 254 characters at most. */
const MAX_CURSOR = 600

/** A column that a list is ordered by, and which way. */
interface Order<Sort extends string> {
  sort: Sort
  direction: Page['direction']
}

/** The query of every list, besides its own filters. `sorts`: the columns it can be ordered by; `usual`: the default order. */
export function listQuery<const Sort extends string, Filters extends z.ZodRawShape>(
  { sorts, usual }: { sorts: readonly Sort[]; usual: Sort | `-${Sort}` },
  filters: Filters,
) {
  const orders = new Map<string, Order<Sort>>(
    sorts.flatMap(
      (sort): Array<[string, Order<Sort>]> => [
        [sort, { sort, direction: 'asc' }],
        [`-${sort}`, { sort, direction: 'desc' }],
      ],
    ),
  )
  return z.strictObject({
    ...filters,
    limit: z
      .string()
      .regex(/^\d{1,3}$/)
      .default(USUAL)
      .transform(Number)
      .refine((limit) => limit >= 1 && limit <= MOST)
      .describe(`1 to ${MOST}; ${USUAL} where none is given`),
    cursor: z.string().max(MAX_CURSOR).optional().describe('`next_cursor` of the page before'),
    sort: z
      .enum([...orders.keys()])
      .default(usual)
      .transform((name, context): Order<Sort> => orders.get(name) ?? context.addIssue('unknown') ?? z.NEVER)
      .describe('descending with a `-`'),
  })
}

/** The query of a list that is read whole. */
export function wholeQuery<Shape extends { limit: z.ZodType; cursor: z.ZodType }, Config extends z.core.$ZodObjectConfig>(
  query: z.ZodObject<Shape, Config>,
) {
  const { limit: _limit, cursor: _cursor, ...shape } = query.shape
  return z.strictObject(shape)
}

/** A list's filters and order, whichever page is asked for. */
export type ListFilters<Query extends z.ZodObject> = Omit<z.output<Query>, 'limit' | 'cursor'>

/** `true` or `false`, as text. */
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true')

/** An id, or `none` for what has none: an empty text. */
export const idOrNone = z.union([z.uuid(), z.literal('none')]).transform((id) => (id === 'none' ? '' : id))

/** A moment, as ISO 8601; in ms. */
export const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))

/** The end of a time, which is not in it. The last millisecond of a second is how an end that belongs to it is written: it is in it. */
export const lastMoment = moment.transform((at) => (at % 1000 === 999 ? at + 1 : at))

/** A viewer may not filter by what is hidden from viewers: it would be found by asking for each value. */
export function refuseHiddenFilter<Name extends string>(
  { role }: Pick<Caller, 'role'>,
  query: Readonly<Partial<Record<Name, unknown>>>,
  name: Name,
): Refused | undefined {
  return role === 'viewer' && query[name] !== undefined ? { refusal: 'malformed', fields: { [name]: 'hidden' } } : undefined
}

interface Asked<Sort extends string> {
  limit: number
  cursor?: string | undefined
  sort: Order<Sort>
}

/** The requested page with one more row, which shows whether another page follows. */
export function readPage<Sort extends string>(
  list: string,
  { limit, cursor, sort }: Asked<Sort>,
  cursors: Cursors,
): { page: Page<Sort> } | Refused {
  const after = cursor === undefined ? undefined : cursors.read(nameOf(list, sort), cursor)
  return cursor !== undefined && !after ? { refusal: 'bad_cursor' } : { page: { ...sort, after, limit: limit + 1 } }
}

/** A list for one caller with one query: how it is read, page by page, and how each of its rows is answered. */
export interface Listing<Row, Sort extends string = string> {
  order: Order<Sort>
  /** Binds its cursors beside the list's name, where something else than `sort` decides on the order. */
  by?: string | undefined
  /** Of a list behind figures: whether purchases are still being counted, so that rows may be missing or out of date. */
  isCounting?: boolean | undefined
  read(page: Page<Sort>): Promise<Row[]>
  /** The values by which a row is found again, in the requested order. */
  placeOf(row: Row): PageAfter
  json(row: Row): unknown
}

/** The answer of a list. `name` binds its cursors. */
export async function answerPage<Row, Sort extends string>(
  name: string,
  query: Asked<Sort>,
  listing: Listing<Row, Sort> | Refused,
  cursors: Cursors,
): Promise<{ body: unknown } | Refused> {
  if ('refusal' in listing) return listing
  const bound = listing.by === undefined ? name : `${name} by ${listing.by}`
  const asked = readPage(bound, query, cursors)
  if ('refusal' in asked) return asked
  const { isCounting } = listing
  const body = writePage(bound, await listing.read(asked.page), query, { cursors, ...listing })
  return { body: isCounting === undefined ? body : { ...body, is_counting: isCounting } }
}

/** A page as it is answered. `placeOf`: the values by which a row is found again, in the requested order. */
export function writePage<T>(
  list: string,
  found: readonly T[],
  { limit, sort }: Pick<Asked<string>, 'limit' | 'sort'>,
  { cursors, placeOf, json }: { cursors: Cursors; placeOf: (one: T) => PageAfter; json: (one: T) => unknown },
): { data: unknown[]; next_cursor: string | null } {
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  const next = last !== undefined && found.length > limit ? cursors.write(nameOf(list, sort), placeOf(last)) : null
  return { data: shown.map(json), next_cursor: next }
}

/** A cursor of one order is invalid in another. */
function nameOf(list: string, { sort, direction }: Order<string>): string {
  return `${list} ${sort} ${direction}`
}

const counting = z
  .boolean()
  .describe('of a list behind figures: `true` while purchases are still being counted, so that rows may be missing or out of date')

/** The answer of a list in the API description. `isCounted`: it can be one behind figures. */
export function onePage(element: z.ZodType, example: unknown, { isCounted = false } = {}) {
  const page = z.object({ data: z.array(element), next_cursor: z.string().nullable() })
  const schema = isCounted ? page.extend({ is_counting: counting.optional() }) : page
  return { description: 'One page', schema, example: { data: [example], next_cursor: null } }
}
