import type { Kysely } from 'kysely'

/** Which passkey began a session, so that it ends when the passkey is removed. No reference to its row: a session outlives the passkey as what has ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('passkey_id', 'text').execute()
}
