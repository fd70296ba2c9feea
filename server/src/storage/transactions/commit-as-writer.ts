import { sql } from 'kysely'
import type { AnyTransaction } from '../locks.ts'
import type { Storage } from '../open.ts'

/**
 * To be called by a transaction that has written nothing, and whose answer acknowledges what is there already, as that of a repeated
 * notification. What it has seen may be committed on this server alone: PostgreSQL shows a commit whose wait for a standby was cancelled.
 * A message in the log, which nobody reads, makes this commit wait, too, and so for all before it. A server that has become a standby
 * refuses the transaction's number as it refuses any write (25006); the message alone would look like a fault of the program.
 */
export async function commitAsWriter(tx: AnyTransaction, { address }: Pick<Storage, 'address'>): Promise<void> {
  if (address.dialect === 'postgres') await sql`select pg_current_xact_id(), pg_logical_emit_message(true, 'portaria', '')`.execute(tx)
}

/** Waits for all that is committed so far, as such a transaction does: for an answer that needs none. */
export async function awaitEarlierCommits(storage: Pick<Storage, 'address' | 'transaction'>): Promise<void> {
  if (storage.address.dialect === 'postgres') await storage.transaction((tx) => commitAsWriter(tx, storage))
}
