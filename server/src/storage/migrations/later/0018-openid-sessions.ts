import type { Tables } from '../migration.ts'

/** The settings of OpenID Connect under which a client began a session, by their `since` (decision 185). */
export async function openIdSince(db: Tables): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('openid_since', 'bigint').execute()
}
