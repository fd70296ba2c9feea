import { sql } from 'kysely'
import type { Storage, Transaction } from './open.ts'

/** Numbers of our advisory locks: any values will do, as long as no two meanings share one. */
const LOCKS = { migrations: 4_710_001, changes: 4_710_002, signingKeys: 4_710_003, buyer: 4_710_004 } as const

/**
 * Makes everyone who takes the same lock wait until this transaction has ended.
 * On SQLite a transaction is alone anyway (`begin immediate`). On PostgreSQL it is released after the commit has become visible.
 */
export async function takeLock(
  tx: Transaction,
  name: Exclude<keyof typeof LOCKS, 'buyer'>,
  storage: Pick<Storage, 'address'>,
): Promise<void> {
  if (storage.address.dialect === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(LOCKS[name])})`.execute(tx)
}

/**
 * The same for one buyer's address: whoever adds a purchase to an address and whoever proves it see each other's work. `hashtext` may let two addresses
 * share a lock, which costs a wait and nothing else.
 */
export async function takeLockOnBuyer(tx: Transaction, email: string, { address }: Pick<Storage, 'address'>): Promise<void> {
  if (address.dialect !== 'postgres') return
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCKS.buyer)}, hashtext(${email}))`.execute(tx)
}
