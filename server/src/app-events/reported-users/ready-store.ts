import { sql } from 'kysely'
import type { Queryable } from '../../storage/index.ts'

/** Makes the endpoints ready whose users were all looked at. Answers whether there was one. */
export async function makeReady(db: Queryable, at: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update event_endpoints set ready_at = ${at} where ready_at is null
    and not exists (select 1 from access_scans as s where event_endpoints.product_id is null or s.product_id = event_endpoints.product_id)
    and not exists (select 1 from reported_access as r where r.state is null and (event_endpoints.product_id is null or r.product_id = event_endpoints.product_id))
    and not exists (select 1 from user_scans as s where s.product_id = coalesce(event_endpoints.product_id, '') and s.is_first = 1)
    and not exists (select 1 from reported_users as r where r.state is null and r.product_id = coalesce(event_endpoints.product_id, ''))`.execute(
    db,
  )
  return Number(numAffectedRows) > 0
}

/** Whether the first look at the users of a product, which is for a new endpoint, is not over. */
export const isLookingAtUsers = (productId: string) => sql<boolean>`(
  exists (select 1 from user_scans where product_id = ${productId} and is_first = 1)
  or exists (select 1 from reported_users where product_id = ${productId} and state is null))`

/** Whether an endpoint waits to be ready. */
export async function isAnyPreparing(db: Queryable): Promise<boolean> {
  return (await db.selectFrom('event_endpoints').select('id').where('ready_at', 'is', null).limit(1).executeTakeFirst()) !== undefined
}
