import { z } from 'zod'
import { revokeSigningKey, rotateSigningKey, type SigningKey, signingKeyState, signingKeyStore } from '../../sessions/index.ts'
import type { AdminAnswer } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { listQuery, onePage, readPage, writePage } from '../api/list.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { actionBody, reason } from '../api/request/reason.ts'
import { pageOfShort } from '../api/short-list.ts'
import { signingKeyJson } from './signing-key-json.ts'

const time = z.iso.datetime().nullable()
const keySchema = z
  .object({
    id: z.string().describe('the kid'),
    kid: z.string(),
    created_at: time,
    signs_from: time,
    revoked_at: time,
    state: z.enum(['next', 'signing', 'verifying', 'retired', 'revoked']),
  })
  .meta({ id: 'SigningKey' })
const example = {
  id: 'Xb1cQ2…',
  kid: 'Xb1cQ2…',
  created_at: '2026-11-20T12:00:00.000Z',
  signs_from: '2026-11-21T12:00:00.000Z',
  revoked_at: null,
  state: 'next',
}
const keyListQuery = listQuery({ sorts: ['signs_from'], usual: '-signs_from' }, {})
const rotateBody = z.strictObject({
  at: z
    .enum(['a_day_ahead', 'once'])
    .optional()
    .describe('once: verifiers that keep the key set for long refuse its tokens until they fetch it anew'),
  reason: reason.optional(),
})

/** The keys that sign tokens. */
export function signingKeyRoutes(operations: Operations, deps: AdminDeps): void {
  const common = { may: 'signing-keys:write', authentication: 'recent' } as const
  adminRoute(operations, {
    method: 'GET',
    path: '/signing-keys',
    operationId: 'listSigningKeys',
    summary: 'List signing keys',
    may: 'signing-keys:read',
    query: keyListQuery,
    answer: onePage(keySchema, example),
    refuses: ['bad_cursor'],
    work: ({ query }) => list(query, deps),
  })
  adminRoute(operations, {
    ...common,
    method: 'POST',
    path: '/signing-keys/rotate',
    operationId: 'rotateSigningKey',
    summary: 'Make the next signing key; it signs in a day',
    description: 'One key waits at a time: 409 `next_key_waits` where one does. With `once` a key that waits stays, and signs at its time.',
    body: rotateBody,
    answer: { status: 201, description: 'The key', schema: keySchema, example },
    refuses: ['conflict'],
    async work({ body, actor }) {
      const made = await rotateSigningKey({ at: body.at ?? 'a_day_ahead' }, { ...deps, actor })
      return 'refusal' in made ? { refusal: 'conflict', reason: made.refusal } : show(made.kid, deps)
    },
  })
  adminRoute(operations, {
    ...common,
    method: 'POST',
    path: '/signing-keys/:id/revoke',
    operationId: 'revokeSigningKey',
    summary: 'End a signing key and all tokens it has signed, at once',
    body: actionBody,
    answer: { description: 'The key', schema: keySchema, example: { ...example, state: 'revoked' } },
    refuses: ['not_found'],
    async work({ id, actor }) {
      const done = await revokeSigningKey(id, { ...deps, actor })
      return done === 'not_found' ? { refusal: 'not_found' } : show(id, deps)
    },
  })
}

async function list(query: z.output<typeof keyListQuery>, { storage, cursors, now }: AdminDeps): Promise<AdminAnswer> {
  const asked = readPage('signing-keys', query, cursors)
  if ('refusal' in asked) return asked
  const all = await signingKeyStore(storage.db).list()
  const placeOf = ({ kid, signsFrom }: SigningKey) => ({ id: kid, value: signsFrom })
  const json = (key: SigningKey) => keyJson(key, all, now())
  return { body: writePage('signing-keys', pageOfShort(all, asked.page, placeOf), query, { cursors, placeOf, json }) }
}

async function show(kid: string, { storage, now }: AdminDeps): Promise<AdminAnswer> {
  const all = await signingKeyStore(storage.db).list()
  const key = all.find((one) => one.kid === kid)
  return key ? { body: keyJson(key, all, now()) } : { refusal: 'not_found' }
}

function keyJson(key: SigningKey, all: readonly SigningKey[], now: number) {
  return { id: key.kid, ...signingKeyJson(key, signingKeyState(key, all, now)) }
}
