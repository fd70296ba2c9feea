import { z } from 'zod'
import { isoTime } from '../../kit/index.ts'
import { allowClient, type DescribedClient, describedClientStore, refuseClient, revokeClient } from '../../openid/index.ts'
import type { AdminAnswer } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { listQuery, onePage, readPage, writePage } from '../api/list.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { actionBody } from '../api/request/reason.ts'

const time = z.iso.datetime().nullable()
const clientSchema = z
  .object({
    id: z.uuid(),
    client_id: z.string().describe('the address of its description, and the one thing about it that is certain'),
    state: z.enum(['allowed', 'refused']),
    sessions: z.int().describe('live ones, each of one user'),
    first_seen_at: time,
    last_seen_at: time.describe('when a user last gave it access'),
    refused_at: time,
  })
  .meta({ id: 'DescribedClient' })
const example = {
  id: '0199c2b4-9e55-7b60-a1d2-7c2e1f3a4b57',
  client_id: 'https://editor.example.com/oauth/client.json',
  state: 'allowed',
  sessions: 12,
  first_seen_at: '2026-11-20T12:00:00.000Z',
  last_seen_at: '2026-11-23T08:30:00.000Z',
  refused_at: null,
}
const clientListQuery = listQuery({ sorts: ['last_seen_at'], usual: '-last_seen_at' }, {})

/** Clients that describe themselves: those that a user has given access, and those that the operator refuses. */
export function describedClientRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/described-clients',
    operationId: 'listDescribedClients',
    summary: 'List clients that describe themselves',
    description: 'Those that a user has given access within a year, and those that are refused. Empty while no product takes them.',
    may: 'products:read',
    query: clientListQuery,
    answer: onePage(clientSchema, example),
    refuses: ['bad_cursor'],
    work: ({ query }) => list(query, deps),
  })
  change('refuse', 'Refuse a client from now on', 'Ends its sessions and tokens, on every node within two seconds.', refuseClient)
  change('allow', 'Take a client again', 'Its users are asked again.', allowClient)
  change('revoke', 'End every session of a client', 'Its tokens end with them. It may ask its users again.', revokeClient)

  function change(name: string, summary: string, description: string, work: typeof refuseClient): void {
    adminRoute(operations, {
      method: 'POST',
      path: `/described-clients/:id/${name}`,
      operationId: `${name}DescribedClient`,
      summary,
      description,
      may: 'products:write',
      body: actionBody,
      answer: { description: 'The client', schema: clientSchema, example },
      refuses: ['not_found'],
      work: async ({ id, actor }) => ((await work(id, { ...deps, actor })) === 'done' ? show(id, deps) : { refusal: 'not_found' }),
    })
  }
}

async function list(query: z.output<typeof clientListQuery>, { storage, cursors, now }: AdminDeps): Promise<AdminAnswer> {
  const asked = readPage('described_clients', query, cursors)
  if ('refusal' in asked) return asked
  const found = await describedClientStore(storage.db).listPage(asked.page, now())
  const placeOf = ({ id, lastSeenAt }: DescribedClient) => ({ id, value: lastSeenAt })
  return { body: writePage('described_clients', found, query, { cursors, placeOf, json: clientJson }) }
}

async function show(id: string, { storage, now }: AdminDeps): Promise<AdminAnswer> {
  const found = await describedClientStore(storage.db).find(id, now())
  return found ? { body: clientJson(found) } : { refusal: 'not_found' }
}

function clientJson({ id, clientId, sessions, firstSeenAt, lastSeenAt, refusedAt }: DescribedClient) {
  const times = { first_seen_at: isoTime(firstSeenAt), last_seen_at: isoTime(lastSeenAt), refused_at: isoTime(refusedAt) }
  return { id, client_id: clientId, state: refusedAt === undefined ? 'allowed' : 'refused', sessions, ...times }
}
