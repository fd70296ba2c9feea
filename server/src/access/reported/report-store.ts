import { sql } from 'kysely'
import { prepare, type Queryable, type Storage, type Transaction } from '../../storage/index.ts'

/** A user of a product: an account's id, or the product's own id of a user. */
export interface AccessSubject {
  productId: string
  subject: string
}

/** The access that was last reported. */
export interface Reported {
  sequence: number
  /** JSON; empty for none; `undefined`: nothing was looked at yet. */
  state: string | undefined
}

/**
 * When a marked user is due (ms): at once, whatever time it is. A mark of a node whose clock is ahead would wait, and so would every mark
 * after a clock was set back.
 */
const AT_ONCE = 0

/** Whether an endpoint hears of a product's access: then each change has to be looked at, though it be not ready, or disabled. */
const isFollowed = (productId: unknown) =>
  sql`exists (select 1 from event_endpoints as e where (e.product_id is null or e.product_id = ${productId}) and e.types like '%access.%')`

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
  await db.updateTable('reported_access').set({ due_at: AT_ONCE }).where('sequence', '>', at).execute()
}

/** A statement of text alone, as `prepare` wants it. */
function compilable(db: Queryable, statement: ReturnType<typeof sql<object>>) {
  return { compile: () => statement.compile(db) }
}

/**
 * Has all users of a product, or of all products, looked at. On PostgreSQL the scan begins once every transaction is over that may not
 * have seen this one.
 */
export async function startScans(
  tx: Transaction,
  productId: string | undefined,
  { at, address }: { at: number } & Pick<Storage, 'address'>,
) {
  const own = address.dialect === 'postgres' ? sql<string>`pg_current_xact_id()::text` : sql<null>`null`
  const some = productId === undefined ? sql`` : sql`and id = ${productId}`
  await sql`
    insert into access_scans (product_id, position, after_transaction, started_at)
    select id, '', ${own}, cast(${at} as bigint) from products where ${isFollowed(sql.ref('products.id'))} ${some} order by id
    on conflict (product_id) do update set position = '', after_transaction = excluded.after_transaction, started_at = excluded.started_at`.execute(
    tx,
  )
}

/** The products that wait for a scan. */
export async function listScans(db: Queryable): Promise<string[]> {
  return (await db.selectFrom('access_scans').select('product_id').execute()).map(({ product_id }) => product_id)
}

/**
 * Marks the users of the next subscriptions. Users that were never reported get a row without a state: the first look at them reports
 * nothing. Answers whether there may be more; `waits`: another node has it, or older transactions are not over.
 */
export async function scanPortion(
  tx: Transaction,
  { productId, size, address }: { productId: string; size: number } & Pick<Storage, 'address'>,
): Promise<'more' | 'done' | 'waits'> {
  const isPostgres = address.dialect === 'postgres'
  const { rows } = await sql<{ position: string }>`
    select position from access_scans where product_id = ${productId}
    ${isPostgres ? sql`and (after_transaction is null or after_transaction::xid8 < pg_snapshot_xmin(pg_current_snapshot())) for update skip locked` : sql``}`.execute(
    tx,
  )
  const [scan] = rows
  if (!scan) return 'waits'
  const portion = sql`select id, user_id, product_user from subscriptions where product_id = ${productId} and id > ${scan.position} order by id limit ${sql.lit(size)}`
  const last = await sql<{ id: string | null }>`select max(id) as id from (${portion}) as portion`.execute(tx)
  const position = last.rows[0]?.id ?? undefined
  if (position === undefined) {
    await tx.deleteFrom('access_scans').where('product_id', '=', productId).execute()
    return 'done'
  }
  await sql`
    insert into reported_access (product_id, subject, sequence, state, due_at)
    select cast(${productId} as text), found.subject, 0, null, ${sql.lit(AT_ONCE)} from (
      select user_id as subject from (${portion}) as of_accounts union select product_user from (${portion}) as of_products
    ) as found where found.subject is not null order by found.subject
    on conflict (product_id, subject) do update set due_at = excluded.due_at`.execute(tx)
  await tx.updateTable('access_scans').set({ position }).where('product_id', '=', productId).execute()
  return 'more'
}

const selectDue = prepare((db, { at, limit }: { at: number; limit: number }) =>
  db.selectFrom('reported_access').select(['product_id', 'subject']).where('due_at', '<=', at).orderBy('due_at').limit(limit),
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
