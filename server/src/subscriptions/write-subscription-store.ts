import { sql } from 'kysely'
import { prepare, type SubscriptionRow } from '../storage/index.ts'
import type { toColumns } from './subscription-row.ts'

export const insertSubscription = prepare((db, row: SubscriptionRow) =>
  db
    .insertInto('subscriptions')
    .values({
      id: row.id,
      stream_id: row.stream_id,
      number: row.number,
      product_id: row.product_id,
      plan_id: row.plan_id,
      email: row.email,
      email_hash: row.email_hash,
      user_id: sql<
        string | null
      >`coalesce(${row.user_id}, case when cast(${row.link_closed_at} as bigint) is null then ${verifiedUser(row.email)} end)`,
      product_user: row.product_user,
      link_closed_at: row.link_closed_at,
      state: row.state,
      method: row.method,
      period_end: row.period_end,
      grace_from: row.grace_from,
      access_until: row.access_until,
      changed_at: row.changed_at,
      created_at: row.created_at,
    })
    .returning(['user_id', awaitsLink(row)]),
)

export const updateSubscription = prepare((db, row: ReturnType<typeof toColumns>) =>
  db
    .updateTable('subscriptions')
    .set({
      stream_id: row.stream_id,
      number: row.number,
      product_id: row.product_id,
      plan_id: row.plan_id,
      email: row.email,
      user_id: sql<string | null>`case when ${isHandedOn(row)} then ${verifiedUser(row.email)}
        else coalesce(user_id, case when link_closed_at is null then coalesce(${row.user_id}, ${verifiedUser(row.email)}) end) end`,
      product_user: sql<string | null>`case when ${isHandedOn(row)} then null else coalesce(product_user, ${row.product_user}) end`,
      state: row.state,
      method: row.method,
      period_end: row.period_end,
      grace_from: row.grace_from,
      access_until: row.access_until,
      changed_at: row.changed_at,
    })
    .where('id', '=', row.id)
    .returning(['user_id', 'product_user', 'link_closed_at', awaitsLink(row)]),
)

/**
 * Whether the operator's checkout names another buyer than before, who has verified the address: then the subscription is theirs. A
 * gateway's payer can be anyone who pays this month.
 */
function isHandedOn({ stream_id, email }: Pick<SubscriptionRow, 'stream_id' | 'email'>) {
  return sql<boolean>`(link_closed_at is null and email <> ${email} and user_id <> ${verifiedUser(email)}
    and 'purchase' in (select source from event_streams where id = ${stream_id} union all select source from event_streams where merged_into = ${stream_id}))`
}

/** The account with this verified address, as part of a statement. */
function verifiedUser(email: string | null) {
  return sql<string | null>`(select id from users where email = ${email} and email_verified_at is not null)`
}

/**
 * Whether no user of the product has this subscription, and one has another of the same address; as part of a statement. `coalesce` keeps
 * SQLite from reading all subscriptions that have a user, instead of the few of the address.
 */
function awaitsLink({ id, product_id, email }: Pick<SubscriptionRow, 'id' | 'product_id' | 'email'>) {
  return sql<number>`case when product_user is null and exists (select 1 from subscriptions as other where other.email = ${email}
    and other.product_id = ${product_id} and coalesce(other.product_user, '') <> '' and other.id <> ${id}) then 1 else 0 end`.as(
    'awaits_link',
  )
}
