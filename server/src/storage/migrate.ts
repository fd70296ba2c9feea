import { type Migration, Migrator } from 'kysely/migration'
import * as frontDoor from './migrations/0001-front-door.ts'
import * as accounts from './migrations/0002-accounts.ts'
import * as purchases from './migrations/0003-purchases.ts'
import * as gateways from './migrations/0004-gateways.ts'
import * as outboxLanes from './migrations/0005-outbox-lanes.ts'
import * as onePaymentOneLine from './migrations/0006-one-payment-one-line.ts'
import * as secondFactor from './migrations/0007-second-factor.ts'
import * as passkeys from './migrations/0008-passkeys.ts'
import * as ownPage from './migrations/0009-own-page.ts'
import * as passkeySessions from './migrations/0010-passkey-sessions.ts'
import * as console from './migrations/0011-console.ts'
import * as goneSubscriptions from './migrations/0012-gone-subscriptions.ts'
import type { Queryable, Storage } from './open.ts'
import { openPostgres } from './postgres.ts'

/** An index over millions of rows takes minutes, and every other node that starts meanwhile waits for it. */
const STATEMENT_MS = 60 * 60_000

/** The one timeline, for both databases, in order. A released migration is frozen: mend it with a later one. */
const migrations: Record<string, (dialect: Storage['address']['dialect']) => Migration> = {
  '0001-front-door': (dialect) => ({ up: (db) => frontDoor.up(db, dialect) }),
  '0002-accounts': () => ({ up: accounts.up }),
  '0003-purchases': () => ({ up: purchases.up }),
  '0004-gateways': () => ({ up: gateways.up }),
  '0005-outbox-lanes': () => ({ up: outboxLanes.up }),
  '0006-one-payment-one-line': () => ({ up: onePaymentOneLine.up }),
  '0007-second-factor': () => ({ up: secondFactor.up }),
  '0008-passkeys': () => ({ up: passkeys.up }),
  '0009-own-page': () => ({ up: ownPage.up }),
  '0010-passkey-sessions': () => ({ up: passkeySessions.up }),
  '0011-console': () => ({ up: console.up }),
  '0012-gone-subscriptions': () => ({ up: goneSubscriptions.up }),
}

/** Brings the tables up to date, in one transaction and under a lock, so that any number of nodes may start at once. Answers the names it applied. */
export async function migrate(storage: Storage): Promise<string[]> {
  const { db, close } = await openPatiently(storage)
  try {
    const { error, results = [] } = await migrator({ db, address: storage.address }).migrateToLatest()
    if (error) throw error
    return results.map(({ migrationName }) => migrationName)
  } finally {
    await close()
  }
}

/** The same database, but where a statement of the service is ended after seconds, one of a migration has an hour. */
async function openPatiently({ db, address }: Storage): Promise<{ db: Queryable; close: () => Promise<void> }> {
  if (address.dialect === 'sqlite') return { db, close: async () => {} }
  return openPostgres(address.url, { statementMs: STATEMENT_MS })
}

/** Names of the migrations that this version has and the database does not. */
export async function pendingMigrations(storage: Storage): Promise<string[]> {
  const known = await migrator(storage).getMigrations()
  return known.filter(({ executedAt }) => !executedAt).map(({ name }) => name)
}

function migrator({ db, address }: Pick<Storage, 'db' | 'address'>): Migrator {
  const forDialect = Object.fromEntries(Object.entries(migrations).map(([name, make]) => [name, make(address.dialect)]))
  // Newer migrations of a newer version that runs beside this one are no fault: tables only ever grow (expand, then contract).
  return new Migrator({ db, provider: { getMigrations: async () => forDialect }, allowUnorderedMigrations: false })
}
