import { sql } from 'kysely'
import type { Queryable, Storage, Transaction } from '../../storage/index.ts'
import { isFollowed, OPERATOR, productsOf } from './mark-store.ts'

/**
 * Has the users of a product, or all of them for the operator, looked at for a new endpoint. If nobody has heard of them before, the first
 * look at each reports nothing. Beside another endpoint it is a second look: a change may have met neither, while the other one was removed
 * and this one was not committed yet. On PostgreSQL the scan begins once every transaction is over that may not have seen this one.
 */
export async function startUserScan(
  tx: Transaction,
  { productId, endpointId }: { productId: string | undefined; endpointId: string },
  { address }: Pick<Storage, 'address'>,
): Promise<void> {
  const whose = productId ?? OPERATOR
  const own = address.dialect === 'postgres' ? sql<string>`pg_current_xact_id()::text` : sql<null>`null`
  await sql`
    insert into user_scans (product_id, position, is_first, after_transaction)
    values (cast(${whose} as text), '', case when ${isFollowedBeside(whose, endpointId)} then 0 else 1 end, ${own})
    on conflict (product_id) do update set position = '', after_transaction = excluded.after_transaction,
      is_first = case when user_scans.is_first = 1 then 1 else excluded.is_first end`.execute(tx)
}

/** Has the users of a product looked at again: it sees more of them, or less. */
export async function rescanUsers(tx: Transaction, productId: string): Promise<void> {
  await sql`
    insert into user_scans (product_id, position, is_first, after_transaction)
    select cast(${productId} as text), '', 0, null where ${isFollowed(productId)}
    on conflict (product_id) do update set position = ''`.execute(tx)
}

/** Whether an endpoint other than this one hears of the same users. */
const isFollowedBeside = (whose: string, endpointId: string) =>
  sql`exists (select 1 from event_endpoints as e where e.types like '%user.%' and coalesce(e.product_id, '') = ${whose} and e.id <> ${endpointId})`

/** Those that wait for a scan, the one that has come least far first. */
export async function listUserScans(db: Queryable): Promise<string[]> {
  return (await db.selectFrom('user_scans').select('product_id').orderBy('position').execute()).map(({ product_id }) => product_id)
}

/** Marks the next users. Answers whether there may be more; `waits`: another node has it, or older transactions are not over. */
export async function scanUsers(
  tx: Transaction,
  { productId, size, address }: { productId: string; size: number } & Pick<Storage, 'address'>,
): Promise<'more' | 'done' | 'waits'> {
  const isPostgres = address.dialect === 'postgres'
  const { rows } = await sql<{ position: string; is_first: number }>`
    select position, is_first from user_scans where product_id = ${productId}
    ${isPostgres ? sql`and (after_transaction is null or after_transaction::xid8 < pg_snapshot_xmin(pg_current_snapshot())) for update skip locked` : sql``}`.execute(
    tx,
  )
  const [scan] = rows
  if (!scan) return 'waits'
  const portion = sql`select id from users where id > ${scan.position} order by id limit ${sql.lit(size)}`
  const last = await sql<{ id: string | null }>`select max(id) as id from (${portion}) as portion`.execute(tx)
  const position = last.rows[0]?.id ?? undefined
  if (position === undefined) {
    await tx.deleteFrom('user_scans').where('product_id', '=', productId).execute()
    return 'done'
  }
  const isKnown = productId === OPERATOR ? sql`true` : sql`${productId} in (${productsOf(sql.ref('found.id'))})`
  await sql`
    insert into reported_users (product_id, user_id, sequence, state, due)
    select cast(${productId} as text), found.id, 0, null, 1 from (${portion}) as found
    where ${isKnown} or exists (select 1 from reported_users as r where r.product_id = ${productId} and r.user_id = found.id)
    order by found.id
    on conflict (product_id, user_id) do update set due = 1${scan.is_first === 1 ? sql`, state = null` : sql``}`.execute(tx)
  await tx.updateTable('user_scans').set({ position }).where('product_id', '=', productId).execute()
  return 'more'
}
