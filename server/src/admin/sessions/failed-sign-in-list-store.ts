import { firstIdAt } from '../../kit/index.ts'
import { inPages, type Page, type Queryable } from '../../storage/index.ts'

export interface FailedSignInFilter {
  userId?: string | undefined
  /** Only those of accounts that exist. */
  ofUsers?: boolean
  kind?: string | undefined
  ip?: string | undefined
  /** At or after, and before, in ms. */
  since?: number | undefined
  until?: number | undefined
}

/** Newest first or last: ids are made in the order of time. */
export async function listFailedSignIns(
  db: Queryable,
  { userId, ofUsers, kind, ip, since, until }: FailedSignInFilter,
  page: Page,
): Promise<FailedSignInListed[]> {
  let query = whole(db)
  if (userId !== undefined) query = query.where('failed.user_id', '=', userId)
  if (ofUsers) query = query.where('failed.user_id', 'is not', null)
  if (kind !== undefined) query = query.where('failed.kind', '=', kind)
  if (ip !== undefined) query = query.where('failed.ip', '=', ip)
  if (since !== undefined) query = query.where('failed.id', '>=', firstIdAt(since))
  if (until !== undefined) query = query.where('failed.id', '<', firstIdAt(until))
  return inPages(query, { column: 'failed.id', id: 'failed.id', page }).execute()
}

export type FailedSignInListed = Awaited<ReturnType<ReturnType<typeof whole>['execute']>>[number]

const whole = (db: Queryable) =>
  db
    .selectFrom('failed_sign_ins as failed')
    .leftJoin('users', 'users.id', 'failed.user_id')
    .select(['failed.id', 'failed.user_id', 'users.email', 'failed.kind', 'failed.provider', 'failed.count'])
    .select(['failed.failed_at', 'failed.ip', 'failed.user_agent'])
