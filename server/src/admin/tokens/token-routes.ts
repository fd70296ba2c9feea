import { z } from 'zod'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import type { AdminToken } from '../api/admin-token.ts'
import type { AdminDeps } from '../api/deps.ts'
import { listQuery, onePage, readPage, writePage } from '../api/list.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { ADMIN_SCOPES, ROLES } from '../api/permissions.ts'
import { reason } from '../api/request/reason.ts'
import { adminTokenStore } from '../api/token-store.ts'
import { createAdminToken, revokeAdminToken } from './change-tokens.ts'
import { tokenJson } from './token-json.ts'

const MAX_DAYS = 3_650

const time = z.iso.datetime().nullable()
const scopes = z.array(z.enum(ADMIN_SCOPES))
const tokenSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    role: z.enum(ROLES),
    scopes: scopes.describe('empty: all that the role may do'),
    hint: z.string(),
    state: z.enum(['live', 'expired', 'revoked']),
    created_at: time,
    expires_at: time,
    revoked_at: time,
  })
  .meta({ id: 'AdminToken' })
const example = {
  id: '0199c2b4-9e55-7b60-a1d2-7c2e1f3a4b56',
  name: 'nightly check',
  role: 'support',
  scopes: ['webhooks:test'],
  hint: 'adm_3f…9c',
  state: 'live',
  created_at: '2026-11-20T12:00:00.000Z',
  expires_at: '2027-02-18T12:00:00.000Z',
  revoked_at: null,
}
const tokenListQuery = listQuery({ sorts: ['created_at'], usual: '-created_at' }, {})
const createBody = z.strictObject({
  name: z.string(),
  role: z.enum(ROLES),
  scopes: scopes.min(1).optional().describe('absent: all that the role may do'),
  expires_days: z.int().min(1).max(MAX_DAYS).nullable().default(null).describe('null: good until it is revoked'),
  reason: reason.optional(),
})

/** Tokens of the operator's scripts. Only a user makes or ends one. */
export function tokenRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/tokens',
    operationId: 'listAdminTokens',
    summary: 'List admin tokens',
    may: 'tokens:read',
    query: tokenListQuery,
    answer: onePage(tokenSchema, example),
    refuses: ['bad_cursor'],
    work: ({ query }) => list(query, deps),
  })
  adminRoute(operations, {
    method: 'POST',
    path: '/tokens',
    operationId: 'createAdminToken',
    summary: 'Make an admin token',
    description: 'The token itself is in this answer and never again.',
    may: 'tokens:write',
    authentication: 'recent',
    body: createBody,
    answer: {
      status: 201,
      description: 'The token',
      schema: tokenSchema.extend({ token: z.string() }),
      example: { ...example, token: 'adm_…' },
    },
    work: (call) => create(call, deps),
  })
  adminRoute(operations, {
    method: 'DELETE',
    path: '/tokens/:id',
    operationId: 'revokeAdminToken',
    summary: 'End an admin token at once',
    may: 'tokens:write',
    body: z.strictObject({ reason: reason.optional() }),
    answer: {
      description: 'Which',
      schema: z.object({ id: z.uuid(), deleted: z.literal(true) }),
      example: { id: example.id, deleted: true },
    },
    refuses: ['not_found'],
    async work({ id, actor }) {
      const done = await revokeAdminToken(id, { ...deps, actor })
      return done === 'not_found' ? { refusal: 'not_found' } : { body: { id, deleted: true } }
    },
  })
}

async function list(query: z.output<typeof tokenListQuery>, { storage, cursors, now }: AdminDeps): Promise<AdminAnswer> {
  const asked = readPage('tokens', query, cursors)
  if ('refusal' in asked) return asked
  const found = await adminTokenStore(storage.db).listPage(asked.page)
  const placeOf = ({ id }: AdminToken) => ({ id, value: id })
  return { body: writePage('tokens', found, query, { cursors, placeOf, json: (token) => tokenJson(token, now()) }) }
}

async function create({ body, actor }: AdminCall<unknown, z.output<typeof createBody>>, deps: AdminDeps): Promise<AdminAnswer> {
  const { name, role, scopes = [], expires_days: expiresDays } = body
  const made = await createAdminToken({ name, role, scopes, expiresDays: expiresDays ?? undefined }, { ...deps, actor })
  if (!('refusal' in made)) return { body: { ...tokenJson(made.token, deps.now()), token: made.key } }
  return { refusal: 'malformed', fields: made.refusal === 'name_malformed' ? { name: made.refusal } : { scopes: made.refusal } }
}
