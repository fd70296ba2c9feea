import { type RawBuilder, sql } from 'kysely'
import { prepare, type Queryable, type Transaction } from '../../storage/index.ts'

/** The operator, in place of a product's id. */
export const OPERATOR = ''

/** Whether an endpoint of a product, or of the operator, hears of users, though it be disabled. */
export const isFollowed = (productId: unknown) =>
  sql<boolean>`exists (select 1 from event_endpoints as e where e.types like '%user.%' and coalesce(e.product_id, '') = ${productId})`

/** The products that a user has a session or a consent in. */
export const productsOf = (userId: unknown) => sql`
  select product_id from consents where user_id = ${userId}
  union select product_id from sessions where user_id = ${userId} and product_id is not null
  union select p.product_id from session_products as p inner join sessions as s on s.id = p.session_id where s.user_id = ${userId}`

const selectHearing = prepare((db: Queryable) => db.selectFrom('event_endpoints').select('id').where('types', 'like', '%user.%').limit(1))

const markUserRows = statement<{ userId: string }>(
  ({ userId }) => sql`
  insert into reported_users (product_id, user_id, sequence, state, due)
  select known.product_id, cast(${userId} as text), 0, null, 1 from (
    select '' as product_id union ${productsOf(userId)} union select product_id from reported_users where user_id = ${userId}
  ) as known where ${isFollowed(sql.ref('known.product_id'))} and exists (select 1 from users where id = ${userId})
  order by known.product_id
  on conflict (product_id, user_id) do update set due = 1`,
)

/** Has users looked at that a transaction may have changed, as its last work. With no endpoint this is one look into an empty table. */
export async function markChangedUsers(tx: Transaction, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0 || (await selectHearing(tx, {})).rows.length === 0) return
  for (const userId of [...new Set(userIds)].sort()) await markUserRows(tx, { userId })
}

interface Met {
  productId: string
  userId: string
}

/** A new user was never reported, which is an empty state, unless the users that are older than the endpoint are still being read. */
const marking = (known: RawBuilder<unknown>) =>
  statement<Met>(
    ({ productId, userId }) => sql`
  insert into reported_users (product_id, user_id, sequence, state, due)
  select cast(${productId} as text), cast(${userId} as text), 0,
    case when exists (select 1 from user_scans where product_id = ${productId} and is_first = 1) then null else '' end, 1
  where ${isFollowed(productId)}
  on conflict (product_id, user_id) ${known}`,
  )
const markMetRow = marking(sql`do nothing`)
const markSharingRow = marking(sql`do update set due = 1`)

/** A product, or the operator, meets a user: for the first time, or again, which changes nothing. */
export async function markMetUser(tx: Queryable, met: Met): Promise<void> {
  await markMetRow(tx, { ...met })
}

/** The same of many new users; with no endpoint this is one look. */
export async function markMetUsers(tx: Queryable, productId: string, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0 || (await selectHearing(tx, {})).rows.length === 0) return
  for (const userId of userIds) await markMetRow(tx, { productId, userId })
}

/** A user begins to share data with a product, shares more, or shares nothing any more. */
export async function markSharing(tx: Queryable, { productId, userId }: Met): Promise<void> {
  await markSharingRow(tx, { productId, userId })
}

const selectHearingOfHandovers = prepare((db: Queryable, { productId }: { productId: string }) =>
  db
    .selectFrom('event_endpoints')
    .select('id')
    .where('product_id', '=', productId)
    .where((e) => e.or([e('types', 'like', '%session.revoked%'), e('types', 'like', '%user.%')]))
    .limit(1),
)

/** Whether a product hears of ended sessions, or of the users who have come to it. */
export async function hearsOfHandovers(db: Queryable, productId: string): Promise<boolean> {
  return (await selectHearingOfHandovers(db, { productId })).rows.length > 0
}

/** A statement of text alone, as `prepare` wants it. */
function statement<Values extends object>(build: (values: Values) => RawBuilder<unknown>) {
  return prepare((db: Queryable, values: Values) => ({
    compile: () => build(values).compile(db) as ReturnType<RawBuilder<object>['compile']>,
  }))
}
