import { firstIdAt, newId } from '../kit/index.ts'
import { type AuditRow, inPages, type Page, type Queryable, type Transaction } from '../storage/index.ts'
import type { AuditEntry, AuditRecord } from './audit-entry.ts'

/** Writes one entry; pass the transaction of the action itself, so that neither exists without the other. */
export async function recordAudit(db: Queryable, { actor, ...entry }: AuditEntry, at: number): Promise<void> {
  const doer = typeof actor === 'string' ? { name: actor } : actor
  await db
    .insertInto('audit')
    .values({
      id: newId(),
      at,
      actor: doer.name,
      action: entry.action,
      target: entry.target,
      before: entry.before ? JSON.stringify(entry.before) : null,
      after: entry.after ? JSON.stringify(entry.after) : null,
      reason: entry.reason ?? doer.reason ?? null,
      ip: entry.ip ?? doer.ip ?? null,
    })
    .execute()
}

export interface AuditFilter {
  actor?: string | undefined
  action?: string | undefined
  target?: string | undefined
  /** Recorded at or after, and before, in ms. */
  since?: number | undefined
  until?: number | undefined
}

/** The newest entries first, `limit` at most; `cursor` is the id of the last one of the page before. */
export function listAudit(
  db: Queryable,
  { limit, cursor, ...filter }: AuditFilter & { limit: number; cursor?: string },
): Promise<AuditRecord[]> {
  const after = cursor === undefined ? undefined : { value: cursor, id: cursor }
  return listAuditPage(db, filter, { sort: 'at', direction: 'desc', after, limit })
}

/** One page in the order of time, which is the order of the ids. */
export async function listAuditPage(
  db: Queryable,
  { actor, action, target, since, until }: AuditFilter,
  page: Page,
): Promise<AuditRecord[]> {
  let query = db.selectFrom('audit').selectAll()
  if (actor !== undefined) query = query.where('actor', '=', actor)
  if (action !== undefined) query = query.where('action', '=', action)
  if (target !== undefined) query = query.where('target', '=', target)
  if (since !== undefined) query = query.where('id', '>=', firstIdAt(since))
  if (until !== undefined) query = query.where('id', '<', firstIdAt(until))
  return (await inPages(query, { column: 'id', id: 'id', page }).execute()).map(toRecord)
}

export async function findAudit(db: Queryable, id: string): Promise<AuditRecord | undefined> {
  const row = await db.selectFrom('audit').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toRecord(row)
}

/** The targets of one statement: no database takes any number of variables. */
const TARGETS_AT_ONCE = 500

/**
 * Makes the entries about a removed user pseudonymous: actions, times and actors stay; personal data and the user's network addresses go.
 * `ownIds` name what was theirs alone, as purchases: the entries about it lose their reasons, which an operator has typed.
 */
export async function forgetInAudit(tx: Transaction, userId: string, ownIds: readonly string[]): Promise<void> {
  for (let from = 0; from < ownIds.length; from += TARGETS_AT_ONCE) {
    const some = ownIds.slice(from, from + TARGETS_AT_ONCE)
    await tx.updateTable('audit').set({ reason: null }).where('target', 'in', some).where('reason', 'is not', null).execute()
  }
  await tx.updateTable('audit').set({ before: null, after: null, reason: null, ip: null }).where('target', '=', userId).execute()
  await tx.updateTable('audit').set({ ip: null }).where('actor', '=', `user:${userId}`).where('ip', 'is not', null).execute()
}

function toRecord(row: AuditRow): AuditRecord {
  return {
    id: row.id,
    at: row.at,
    actor: row.actor,
    action: row.action,
    target: row.target,
    ...(row.before !== null && { before: JSON.parse(row.before) }),
    ...(row.after !== null && { after: JSON.parse(row.after) }),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.ip !== null && { ip: row.ip }),
  }
}
