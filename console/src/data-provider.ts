import type {
  CreateParams,
  DataProvider,
  DeleteParams,
  GetListParams,
  GetListResult,
  GetManyParams,
  GetManyReferenceParams,
  GetOneParams,
  Identifier,
  QueryFunctionContext,
  RaRecord,
  UpdateParams,
} from 'react-admin'
import { AdminFault } from './api/admin-fault.ts'
import { adminPath, type CallAdmin } from './api/admin-http.ts'
import { createCursors } from './api/cursors.ts'

/** The field for a record's version: a form sends back the one that it was filled from, however often the record was read since. */
export const VERSION = '_version'

/** A page of a list, as the API answers it. */
interface Listed<Item> {
  data: Item[]
  next_cursor: string | null
  is_counting?: boolean
}

/** The most pages that are walked through to a page opened by its address. One further on is empty, with a mark that says why. */
const MAX_STEPS = 20
const NO_ROWS = { data: [], pageInfo: { hasNextPage: false, hasPreviousPage: true } }
const MAX_AT_ONCE = 6
const PAGE_ITEMS = 25

/** react-admin's way to the admin API. Faults are `AdminFault`. */
export function createDataProvider(call: CallAdmin): DataProvider {
  const list = createLists(call)
  const getOne = async <Item extends RaRecord>(resource: string, id: Identifier, signal?: AbortSignal): Promise<Item> => {
    const { body, etag } = await call<Item>({ path: adminPath(resource, id), signal })
    return versioned(body, etag)
  }
  return {
    supportAbortSignal: true,
    getList: <Item extends RaRecord>(resource: string, params: GetListParams & QueryFunctionContext) => list<Item>(resource, params),
    getManyReference: <Item extends RaRecord>(resource: string, params: GetManyReferenceParams & QueryFunctionContext) =>
      list<Item>(resource, { ...params, filter: { ...params.filter, [params.target]: params.id } }),
    getOne: async <Item extends RaRecord>(resource: string, { id, signal }: GetOneParams<Item> & QueryFunctionContext) => ({
      data: await getOne<Item>(resource, id, signal),
    }),
    getMany: async <Item extends RaRecord>(resource: string, { ids, signal }: GetManyParams<Item> & QueryFunctionContext) => ({
      data: await readAll([...new Set(ids)], (id) => getOne<Item>(resource, id, signal)),
    }),
    create: async <_Input, Item extends RaRecord>(resource: string, { data }: CreateParams) => {
      const { body, etag } = await call<Item>({ path: adminPath(resource), method: 'POST', body: withoutEmpty(data) })
      return { data: versioned(body, etag) }
    },
    update: async <Item extends RaRecord>(resource: string, { id, data, previousData }: UpdateParams<Item>) => {
      const { [VERSION]: ifMatch = previousData?.[VERSION] } = data
      const body = changedFields(data, previousData)
      const answer = await call<Item>({ path: adminPath(resource, id), method: 'PATCH', body, ifMatch })
      return { data: versioned(answer.body, answer.etag) }
    },
    delete: async <Item extends RaRecord>(resource: string, { id, previousData }: DeleteParams<Item>) => {
      const { body } = await call<Item>({ path: adminPath(resource, id), method: 'DELETE', ifMatch: previousData?.[VERSION] })
      return { data: previousData ?? body }
    },
    updateMany: refuseMany,
    deleteMany: refuseMany,
  }
}

/** Lists by page number. The cursors of seen pages are kept; a page opened by its address is reached page by page. */
function createLists(call: CallAdmin) {
  const cursors = createCursors()
  return async <Item extends RaRecord>(
    resource: string,
    { pagination, sort, filter, signal }: GetListParams,
  ): Promise<GetListResult<Item>> => {
    const { page, perPage } = pagination ?? { page: 1, perPage: PAGE_ITEMS }
    const query = listQuery({ ...filter }, sort, perPage)
    const key = `${resource}?${query}`
    const read = async (number: number, cursor: string | null): Promise<Listed<Item>> => {
      const path = `${adminPath(resource)}?${query}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
      const { body } = await call<Listed<Item>>({ path, signal })
      cursors.remember(key, number, body.next_cursor)
      return body
    }
    const walk = async (): Promise<GetListResult<Item>> => {
      let at = cursors.nearest(key, page)
      if (page - at > MAX_STEPS) return { ...NO_ROWS, meta: { isTooFar: true } }
      let body = await read(at, cursors.find(key, at) ?? null)
      for (; at < page && body.next_cursor !== null; at += 1) body = await read(at + 1, body.next_cursor)
      const data = at === page ? body.data : []
      return {
        data,
        pageInfo: { hasNextPage: at === page && body.next_cursor !== null, hasPreviousPage: page > 1 },
        ...(body.is_counting === true && { meta: { isCounting: true } }),
      }
    }
    try {
      return await walk()
    } catch (error) {
      // The service no longer accepts a cursor that it made: after a change of its keys, for example.
      if (!(error instanceof AdminFault && error.error === 'cursor invalido')) throw error
      cursors.forget(key)
      return walk()
    }
  }
}

/**
 * A list's filters, order and length as the query of an address. Empty filters are left out; `id` is the order that lists have by
 * themselves.
 */
export function listQuery(filter: Record<string, unknown>, sort: GetListParams['sort'], limit?: number): string {
  const query = new URLSearchParams(limit === undefined ? {} : { limit: String(limit) })
  if (sort && sort.field !== 'id') query.set('sort', `${sort.order === 'DESC' ? '-' : ''}${sort.field}`)
  for (const name of Object.keys(filter).sort()) {
    const value = filter[name]
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  }
  return query.toString()
}

/**
 * Only the changed fields of a form: other administrators may have changed the rest. An empty input is `null` in forms, where the record
 * has no field.
 */
export function changedFields(data: Record<string, unknown>, previous: Record<string, unknown> | undefined): Record<string, unknown> {
  const isChanged = ([name, value]: [string, unknown]) =>
    name !== 'id' && name !== VERSION && JSON.stringify(value ?? null) !== JSON.stringify(previous?.[name] ?? null)
  return Object.fromEntries(Object.entries(data).filter(isChanged))
}

/** Inputs that were left empty are `null` in forms; the API wants them left out. */
export function withoutEmpty(data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null && value !== undefined && value !== ''))
}

function versioned<Item extends object>(body: Item, etag: string | undefined): Item {
  return etag === undefined ? body : { ...body, [VERSION]: etag }
}

/** A few at a time. Removed records are left out, so that one lost reference does not hide the others. */
async function readAll<Id, Item>(ids: readonly Id[], read: (id: Id) => Promise<Item>): Promise<Item[]> {
  const found: Item[] = []
  for (let start = 0; start < ids.length; start += MAX_AT_ONCE) {
    const answers = await Promise.allSettled(ids.slice(start, start + MAX_AT_ONCE).map(read))
    for (const answer of answers) {
      if (answer.status === 'fulfilled') found.push(answer.value)
      else if (!(answer.reason instanceof AdminFault && answer.reason.status === 404)) throw answer.reason
    }
  }
  return found
}

async function refuseMany(): Promise<never> {
  throw new Error('the console changes one record at a time')
}
