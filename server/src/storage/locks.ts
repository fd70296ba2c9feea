import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Queryable, Storage, Transaction } from './open.ts'

/** Numbers of our advisory locks: any values, as long as each lock has its own. */
const LOCKS = {
  migrations: 4_710_001,
  changes: 4_710_002,
  signingKeys: 4_710_003,
  buyer: 4_710_004,
  payment: 4_710_005,
  grace: 4_710_006,
  configuration: 4_710_017,
  refusedNotifications: 4_710_016,
  reports: 4_710_176,
  copy: 4_710_063,
} as const

/** A transaction, whatever tables its user knows; no connection without one. */
export type AnyTransaction = Pick<Transaction, 'isTransaction' | 'getExecutor'>

/**
 * Blocks every other taker of the same lock until this transaction has ended. On SQLite a transaction is alone anyway (`begin immediate`).
 * On PostgreSQL the lock is released after the commit has become visible.
 */
export async function takeLock(
  tx: AnyTransaction,
  name: Exclude<keyof typeof LOCKS, 'migrations' | 'buyer' | 'payment' | 'grace'>,
  storage: Pick<Storage, 'address'>,
): Promise<void> {
  if (storage.address.dialect === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(LOCKS[name])})`.execute(tx)
}

const LOOK_AGAIN_MS = 200

/**
 * Makes this connection to PostgreSQL the only one that changes tables, until it is closed. It polls for the lock: a waiting statement
 * would be an open transaction, and `create index concurrently` waits for all of them.
 */
export async function holdMigrations(connection: Queryable): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ held: boolean }>`select pg_try_advisory_lock(${sql.lit(LOCKS.migrations)}) as held`.execute(connection)
    if (rows[0]?.held) return
    await setTimeout(LOOK_AGAIN_MS)
  }
}

/**
 * The same for one buyer's address: a transaction that adds a purchase to an address and one that verifies it see each other's work.
 * `hashtext` may give two addresses the same lock, which only costs a wait.
 */
export async function takeLockOnBuyer(tx: Transaction, email: string, { address }: Pick<Storage, 'address'>): Promise<void> {
  if (address.dialect !== 'postgres') return
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCKS.buyer)}, hashtext(${email}))`.execute(tx)
}

/** The same for a gateway's id of a payment: transactions that record and refund it see each other's work. */
export async function takeLockOnPayment(tx: Transaction, name: string, { address }: Pick<Storage, 'address'>): Promise<void> {
  if (address.dialect !== 'postgres') return
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCKS.payment)}, hashtext(${name}))`.execute(tx)
}

/** The same for a product's days of grace: any number of transactions may use them at once, none while another changes them. */
export async function takeLockOnGrace(
  tx: Transaction,
  productId: string,
  { does, address }: Pick<Storage, 'address'> & { does: 'count' | 'change' },
): Promise<void> {
  if (address.dialect !== 'postgres') return
  const lock = does === 'count' ? sql`pg_advisory_xact_lock_shared` : sql`pg_advisory_xact_lock`
  await sql`select ${lock}(${sql.lit(LOCKS.grace)}, hashtext(${productId}))`.execute(tx)
}
