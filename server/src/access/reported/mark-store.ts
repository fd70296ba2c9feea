import { sql } from 'kysely'
import { prepare, type Queryable, type Transaction } from '../../storage/index.ts'
import { type AccessSubject, AT_ONCE, BY_A_SCAN, isFollowed } from './followed-store.ts'

/** A statement of text alone, as `prepare` wants it. */
function compilable(db: Queryable, statement: ReturnType<typeof sql<object>>) {
  return { compile: () => statement.compile(db) }
}

const markUserRows = prepare((db: Queryable, { userId }: { userId: string }) =>
  compilable(
    db,
    sql`
  insert into reported_access (product_id, subject, sequence, state, due_at)
  select known.product_id, cast(${userId} as text), 0, '', ${sql.lit(AT_ONCE)} from (
    select product_id from subscriptions where user_id = ${userId} and product_id is not null
    union select product_id from reported_access where subject = ${userId}
  ) as known where ${isFollowed(sql.ref('known.product_id'))} order by known.product_id
  on conflict (product_id, subject) do update set due_at = excluded.due_at`,
  ),
)

/** Marks a user in every product where they have bought something, or had. */
export async function markUser(tx: Transaction, userId: string): Promise<void> {
  await markUserRows(tx, { userId })
}

const markSubjectRow = prepare((db: Queryable, { productId, subject }: AccessSubject) =>
  compilable(
    db,
    sql`
  insert into reported_access (product_id, subject, sequence, state, due_at)
  select cast(${productId} as text), cast(${subject} as text), 0, '', ${sql.lit(AT_ONCE)} where ${isFollowed(productId)}
  on conflict (product_id, subject) do update set due_at = excluded.due_at`,
  ),
)

export async function markSubject(tx: Transaction, subject: AccessSubject): Promise<void> {
  await markSubjectRow(tx, { ...subject })
}

/** Marks everybody whose access was reported later than at a time (ms), by the sequence, which is the time or higher. */
export async function markReportedAfter(db: Queryable, at: number): Promise<void> {
  const all = db.updateTable('reported_access').set({ due_at: BY_A_SCAN }).where('sequence', '>', at)
  await all.where((e) => e.or([e('due_at', 'is', null), e('due_at', '>', BY_A_SCAN)])).execute()
}
