import { z } from 'zod'
import { ENDPOINT_STATES, type Endpoint, endpointState, endpointStore } from '../../app-events/index.ts'
import type { AdminAnswer } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { listQuery, readPage, writePage } from '../api/list.ts'
import { pageOfShort } from '../api/short-list.ts'
import { endpointJson, readSlugs } from './endpoint-json.ts'

export const endpointListQuery = listQuery(
  { sorts: ['created_at'], usual: 'created_at' },
  {
    product: z.string().max(64).optional().describe("the product's slug"),
    state: z.enum(ENDPOINT_STATES).optional(),
  },
)

export async function listEndpoints(query: z.output<typeof endpointListQuery>, { storage, cursors }: AdminDeps): Promise<AdminAnswer> {
  const asked = readPage('endpoints', query, cursors)
  if ('refusal' in asked) return asked
  const placeOf = ({ id }: Endpoint) => ({ id, value: id })
  const slugs = await readSlugs(storage.db)
  const wanted = (await endpointStore(storage.db).list()).filter(
    (endpoint) =>
      (query.product === undefined || (endpoint.productId !== undefined && slugs.get(endpoint.productId) === query.product)) &&
      (query.state === undefined || endpointState(endpoint) === query.state),
  )
  const found = pageOfShort(wanted, asked.page, placeOf)
  const shown = new Map<string, object>()
  for (const endpoint of found) shown.set(endpoint.id, await endpointJson(endpoint, { db: storage.db, slugs }))
  return { body: writePage('endpoints', found, query, { cursors, placeOf, json: ({ id }) => shown.get(id) }) }
}
