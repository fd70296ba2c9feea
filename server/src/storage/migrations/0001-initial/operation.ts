import { type Kysely, sql } from 'kysely'

/** The service's own tables: admin tokens, settings, the change feed, rate limits, the audit trail, the outbox, daily counts. */
export async function operationTables(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  await adminTokens(db)
  await settings(db)
  await changes(db, dialect)
  await rateLimits(db)
  await audit(db)
  await outbox(db)
  await outboxLanes(db)
  await dailyCounts(db)
}

async function adminTokens(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('admin_tokens')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('hint', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute()
}

async function settings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', (c) => c.notNull().primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute()
}

async function changes(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const changes = db.schema.createTable('changes')
  const numbered =
    dialect === 'sqlite'
      ? changes.addColumn('seq', 'integer', (c) => c.primaryKey().autoIncrement())
      : changes.addColumn('seq', 'bigint', (c) => c.primaryKey().generatedAlwaysAsIdentity())
  await numbered
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('changes_at').on('changes').column('at').execute()
}

async function rateLimits(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rate_limits')
    .addColumn('key', 'text', (c) => c.notNull().primaryKey())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('window_ends_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('rate_limits_end').on('rate_limits').column('window_ends_at').execute()
}

async function audit(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('target', 'text', (c) => c.notNull())
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .addColumn('reason', 'text')
    .addColumn('ip', 'text')
    .execute()
  await db.schema.createIndex('audit_target').on('audit').columns(['target', 'id']).execute()
  await db.schema.createIndex('audit_action').on('audit').columns(['action', 'id']).execute()
  await db.schema.createIndex('audit_actor').on('audit').columns(['actor', 'id']).execute()
}

async function outbox(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('outbox')
    .addColumn('id', 'text', (c) => c.notNull().primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('lane', 'text')
    .addColumn('payload_sealed', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('run_at', 'bigint', (c) => c.notNull())
    .addColumn('leased_until', 'bigint')
    .addColumn('dead_at', 'bigint')
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('outbox_lane_due')
    .on('outbox')
    .columns(['kind', 'lane', 'run_at'])
    .where(sql.ref('dead_at'), 'is', null)
    .execute()
  await db.schema.createIndex('outbox_dead').on('outbox').column('dead_at').where(sql.ref('dead_at'), 'is not', null).execute()
}

async function outboxLanes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('outbox_lanes')
    .addColumn('lane', 'text', (c) => c.notNull().primaryKey())
    .addColumn('paused_until', 'bigint', (c) => c.notNull())
    .execute()
}

async function dailyCounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('daily_counts')
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('count', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('daily_counts_pk', ['day', 'name'])
    .execute()
}
