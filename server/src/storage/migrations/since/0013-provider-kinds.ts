import type { Tables } from '../migration.ts'

/** The protocol of an identity provider, where it is not OpenID Connect as most speak it (decision 172). */
export async function kind(db: Tables): Promise<void> {
  await db.schema.alterTable('identity_providers').addColumn('kind', 'text').execute()
}
