import type { Tables } from '../migration.ts'

const FIELDS = [
  'name',
  'accent',
  'logo_light',
  'logo_dark',
  'favicon',
  'sender_name',
  'reply_to',
  'support_url',
  'terms_url',
  'privacy_url',
  'footer',
]

/** The look of pages and mails: the operator's, and what products have of their own (decision 169). */
export async function appearances(db: Tables): Promise<void> {
  let table = db.schema.createTable('appearances').addColumn('scope', 'text', (c) => c.notNull().primaryKey())
  for (const field of FIELDS) table = table.addColumn(field, 'text')
  await table.addColumn('updated_at', 'bigint', (c) => c.notNull()).execute()
}

/** Logos and icons under the hash of their content, which is base64. */
export async function brandImages(db: Tables): Promise<void> {
  await db.schema
    .createTable('brand_images')
    .addColumn('hash', 'text', (c) => c.notNull().primaryKey())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('width', 'integer', (c) => c.notNull())
    .addColumn('height', 'integer', (c) => c.notNull())
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
}
