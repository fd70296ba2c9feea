import { type SchemaModule, sql } from 'kysely'
import type { Tables } from '../migration.ts'

/** The clients that described themselves and were given access, and those that the operator refuses (decision 161). */
export async function describedClients(db: Tables): Promise<void> {
  await db.schema
    .createTable('described_clients')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('client_id', 'text', (c) => c.notNull().unique())
    .addColumn('first_seen_at', 'bigint', (c) => c.notNull())
    .addColumn('last_seen_at', 'bigint', (c) => c.notNull())
    .addColumn('refused_at', 'bigint')
    .execute()
  await db.schema.createIndex('described_clients_seen').on('described_clients').columns(['last_seen_at', 'id']).execute()
}

/** The sessions of one client, to count and to end them. */
export function byClient(schema: SchemaModule) {
  return schema.createIndex('sessions_client').on('sessions').columns(['client_id', 'id']).where(sql.ref('client_id'), 'is not', null)
}
