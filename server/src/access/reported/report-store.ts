import { prepare, type Queryable, type Transaction } from '../../storage/index.ts'
import type { AccessSubject } from './followed-store.ts'

/** The access that was last reported. */
export interface Reported {
  sequence: number
  /** JSON; empty for none; `undefined`: nothing was looked at yet. */
  state: string | undefined
}

const selectDue = prepare(
  (db, { at, limit }: { at: number; limit: number }) =>
    db.selectFrom('reported_access').select(['product_id', 'subject']).where('due_at', '<=', at).orderBy('due_at').limit(limit),
  'each_time',
)

/** The users to be looked at, the longest due first. */
export async function listDue(db: Queryable, due: { at: number; limit: number }): Promise<AccessSubject[]> {
  return (await selectDue(db, due)).rows.map(({ product_id: productId, subject }) => ({ productId, subject }))
}

const takeRow = prepare((db, { productId, subject, at }: AccessSubject & { at: number }) =>
  db
    .updateTable('reported_access')
    .set({ due_at: null })
    .where('product_id', '=', productId)
    .where('subject', '=', subject)
    .where('due_at', '<=', at)
    .returning(['sequence', 'state']),
)

/** Takes a due user, and holds the row until the transaction ends: of any number of nodes exactly one gets it. */
export async function takeDue(tx: Transaction, subject: AccessSubject, at: number): Promise<Reported | undefined> {
  const [row] = (await takeRow(tx, { ...subject, at })).rows
  return row && { sequence: row.sequence, state: row.state ?? undefined }
}

const updateRow = prepare((db, row: { product_id: string; subject: string; sequence: number; state: string; due_at: number | null }) =>
  db
    .updateTable('reported_access')
    .set({ sequence: row.sequence, state: row.state, due_at: row.due_at })
    .where('product_id', '=', row.product_id)
    .where('subject', '=', row.subject),
)

/** `dueAt`: when it changes without an event. */
export async function putReported(
  tx: Transaction,
  { productId, subject }: AccessSubject,
  { sequence, state, dueAt }: { sequence: number; state: string; dueAt: number | undefined },
): Promise<void> {
  await updateRow(tx, { product_id: productId, subject, sequence, state, due_at: dueAt ?? null })
}

export async function removeReported(tx: Transaction, { productId, subject }: AccessSubject): Promise<void> {
  await tx.deleteFrom('reported_access').where('product_id', '=', productId).where('subject', '=', subject).execute()
}

/** Whether anybody hears of access, or of users, for whom an endpoint has to become ready, too. */
export async function isAnyHearing(db: Queryable): Promise<boolean> {
  const hearing = db.selectFrom('event_endpoints').select('id')
  const own = hearing.where((e) => e.or([e('types', 'like', '%access.%'), e('types', 'like', '%user.%')]))
  return (await own.limit(1).executeTakeFirst()) !== undefined
}
