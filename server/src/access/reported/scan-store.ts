import { sql } from 'kysely'
import type { Queryable, Storage, Transaction } from '../../storage/index.ts'
import { AT_ONCE, BY_A_SCAN, isFollowed } from './followed-store.ts'

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

/** The products that wait for a scan, the one that has come least far first: a small one does not wait until a large one is through. */
export async function listScans(db: Queryable): Promise<string[]> {
  return (await db.selectFrom('access_scans').select('product_id').orderBy('position').execute()).map(({ product_id }) => product_id)
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
    select cast(${productId} as text), found.subject, 0, null, ${sql.lit(BY_A_SCAN)} from (
      select user_id as subject from (${portion}) as of_accounts union select product_user from (${portion}) as of_products
    ) as found where found.subject is not null order by found.subject
    on conflict (product_id, subject) do update set
      due_at = case when reported_access.due_at = ${sql.lit(AT_ONCE)} then reported_access.due_at else excluded.due_at end`.execute(tx)
  await tx.updateTable('access_scans').set({ position }).where('product_id', '=', productId).execute()
  return 'more'
}
