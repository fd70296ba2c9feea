import { type Kysely, sql } from 'kysely'
import { type Timeline, timeline } from '../../src/storage/index.ts'
import { change, fill, index, type Migration } from '../../src/storage/migrations/migration.ts'

type Tables = Kysely<unknown>

/** A version that is still to come, with one migration more than this one. */
export function laterVersion(name: string, migration: Migration, version = '9.9.9'): Timeline {
  return { version, migrations: { ...timeline.migrations, [name]: migration } }
}

const PAGE = 100

/** A migration as they come: a table, a column of a table that is written all the time, an index of it, and values for whoever is there. */
export const adding: Migration = {
  adds: true,
  steps: [
    change(async (db) => {
      await db.schema
        .createTable('wishes')
        .addColumn('id', 'text', (c) => c.primaryKey().notNull())
        .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('cascade'))
        .execute()
    }),
    change((db) => db.schema.alterTable('users').addColumn('initial', 'text').execute()),
    change((db) => db.schema.alterTable('sessions').addColumn('wished_at', 'bigint').execute()),
    index((schema) => schema.createIndex('users_initial').on('users').column('initial')),
    index((schema) => schema.createIndex('sessions_wished').on('sessions').column('wished_at')),
    fill(initials),
  ],
}

/** Gives a page of users their initial. */
async function initials(db: Tables, after = ''): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from users where id > ${after} order by id limit ${sql.lit(PAGE)}`.execute(db)
  const last = rows.at(-1)?.id
  if (last === undefined) return undefined
  await sql`update users set initial = upper(substr(email, 1, 1)) where id > ${after} and id <= ${last} and initial is null`.execute(db)
  return last
}

/** A migration after which this version would write what the later one can't read. */
export const changing: Migration = {
  adds: false,
  steps: [
    change((db) =>
      db.schema
        .alterTable('users')
        .addColumn('given_name', 'text', (c) => c.notNull().defaultTo(''))
        .execute(),
    ),
  ],
}
