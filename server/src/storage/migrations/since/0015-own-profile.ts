import type { SchemaModule } from 'kysely'
import type { Tables } from '../migration.ts'

/** When a password last changed (decision 175). */
export async function passwordChanged(db: Tables): Promise<void> {
  await db.schema.alterTable('users').addColumn('password_changed_at', 'bigint').execute()
}

/** When a user made the one correction of their tax id (decision 173). */
export async function taxIdCorrected(db: Tables): Promise<void> {
  await db.schema.alterTable('users_company').addColumn('tax_id_corrected_at', 'bigint').execute()
}

/** A user's own picture; its content is base64. */
export async function pictures(db: Tables): Promise<void> {
  await db.schema
    .createTable('user_pictures')
    .addColumn('user_id', 'text', (c) => c.notNull().primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
}

/** The apps that a user has gone to by a redirect of the service. */
export async function openedApps(db: Tables): Promise<void> {
  await db.schema
    .createTable('opened_apps')
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('product_id', 'text', (c) => c.notNull().references('products.id').onDelete('cascade'))
    .addColumn('first_opened_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('opened_apps_pk', ['user_id', 'product_id'])
    .execute()
}

export function byName(schema: SchemaModule) {
  return schema.createIndex('user_pictures_name').unique().on('user_pictures').column('name')
}
