import type { z } from 'zod'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { onePage, readPage, refuseHiddenFilter, writePage } from '../api/list.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { listFailedSignIns } from './failed-sign-in-list-store.ts'
import { failedSignInExample, failedSignInJson, failedSignInListQuery, failedSignInSchema } from './failed-sign-in-schemas.ts'

/** The sign-ins that failed: why somebody does not come in, and who guesses. */
export function failedSignInRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/failed-sign-ins',
    operationId: 'listFailedSignIns',
    summary: 'List failed sign-ins of the last 30 days, a minute behind',
    description:
      'What was typed is not kept. Of a storm each process keeps 100 rows a minute for accounts that exist and 100 for all else, 5 of an account and 20 of a network at most; the counts of the overview have all.',
    may: 'sessions:read',
    personal: ['email', 'ip', 'user_agent'],
    query: failedSignInListQuery,
    answer: onePage(failedSignInSchema, failedSignInExample),
    refuses: ['bad_cursor'],
    work: (call) => list(call, deps),
  })
}

async function list(
  { query, caller }: Pick<AdminCall<z.output<typeof failedSignInListQuery>, unknown>, 'query' | 'caller'>,
  { storage, cursors }: AdminDeps,
): Promise<AdminAnswer> {
  const hidden = refuseHiddenFilter(caller, query, 'ip')
  if (hidden) return hidden
  const asked = readPage('failed_sign_ins', query, cursors)
  if ('refusal' in asked) return asked
  const { user_id: userId, of_users: ofUsers, kind, ip, since, until } = query
  const found = await listFailedSignIns(storage.db, { userId, ofUsers: ofUsers !== undefined, kind, ip, since, until }, asked.page)
  const placeOf = ({ id }: { id: string }) => ({ id, value: id })
  return { body: writePage('failed_sign_ins', found, query, { cursors, placeOf, json: failedSignInJson }) }
}
