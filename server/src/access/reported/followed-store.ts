import { sql } from 'kysely'

/** A user of a product: an account's id, or the product's own id of a user. */
export interface AccessSubject {
  productId: string
  subject: string
}

/**
 * When a marked user is due (ms): at once, whatever time it is. A mark of a node whose clock is ahead would wait, and so would every mark
 * after a clock was set back.
 */
export const AT_ONCE = 0

/** The same of a user whom a scan has marked: everyone whose access has changed by itself comes first. */
export const BY_A_SCAN = 1

/** Whether an endpoint hears of a product's access: then each change has to be looked at, though it be not ready, or disabled. */
export const isFollowed = (productId: unknown) =>
  sql`exists (select 1 from event_endpoints as e where (e.product_id is null or e.product_id = ${productId}) and e.types like '%access.%')`
