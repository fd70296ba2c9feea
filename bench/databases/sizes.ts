import path from 'node:path'
import { sql } from 'kysely'
import type { Storage } from '../../server/src/storage/index.ts'
import type { PasswordHasher } from '../../server/src/users/index.ts'
import { fetchHandoff, openShop, redeem } from '../../server/test/support/faults/actions.ts'
import { completed, notify, WEBHOOKS } from '../../server/test/support/gateways/purchases.ts'
import { startPostgres } from '../../server/test/support/postgres.ts'
import { cheapPasswords, startService, type TestService } from '../../server/test/support/service.ts'
import { signedIn } from '../../server/test/support/users/sign-in-steps.ts'
import type { Row } from '../harness/figures.ts'

/** Of the length of a real one, which takes 23 ms of a core. */
const HASH = `$argon2id$v=19$m=19456,t=2,p=1$${'c'.repeat(22)}$${'a'.repeat(43)}`
const passwords: PasswordHasher = {
  ...cheapPasswords,
  hash: async () => HASH,
  enter: () => ({ verify: async (_password, hash) => hash === HASH, hash: async () => HASH, leave: () => {} }),
}

/** Bytes so far: of each table with its indexes, and of PostgreSQL's write-ahead log. */
interface Bytes {
  tables: ReadonlyMap<string, number>
  log: number
}

/** A unit and the work that adds one. */
type Unit = [name: string, work: (service: TestService, n: number) => Promise<unknown>]

const emailOf = (n: number) => `pessoa.${n}@exemplo.com.br`

/** In this order: each unit rests on the ones before. */
function unitsOf(shop: Awaited<ReturnType<typeof openShop>>): Unit[] {
  const browsers = new Map<number, Awaited<ReturnType<typeof signedIn>>>()
  return [
    ['a user, with password, profile, tax id and search terms', (service, n) => service.user(emailOf(n))],
    [
      'a sign-in by form: a session, and its entry in the audit log',
      async (service, n) => browsers.set(n, await signedIn(service, emailOf(n))),
    ],
    [
      'a first handoff to an external app, redeemed: a session of the app, and a consent',
      async (service, n) => redeem(service, await fetchHandoff(browsers.get(n) ?? service.browser(), shop), shop),
    ],
    ['a purchase: its notification, event and subscription', (service, n) => notify(service.url, completed({ email: emailOf(n) }))],
    ['a check', (_service, n) => browsers.get(n)?.request('GET', '/auth/check') ?? Promise.reject(new Error('no browser'))],
  ]
}

/**
 * The bytes of a user, a session, a handoff, a purchase and a check, as the service writes them: `count` of each by its own requests. Work
 * that follows in the background is part of it.
 */
export async function measureSizes({ fresh, count }: { fresh: (name: string) => string; count: number }): Promise<Row[]> {
  const postgres = await startPostgres('in_memory')
  try {
    const sqlite = await addedBy(`sqlite:${path.join(fresh('sizes'), 'portaria.db')}`, count)
    const server = await addedBy(postgres.url, count)
    return [...sqlite].map(([figure, { tables }]) => {
      const other = server.get(figure) ?? { tables: new Map(), log: Number.NaN }
      const parts = [...other.tables].filter(([, bytes]) => bytes >= 1).toSorted(([, one], [, two]) => two - one)
      return {
        figure: `bytes of ${figure}, SQLite and PostgreSQL`,
        value: `**${sumOf(tables)}** and **${sumOf(other.tables)}**`,
        beside: [...parts.map(([table, bytes]) => `\`${table}\` ${bytes.toFixed(0)}`), `write-ahead log ${other.log.toFixed(0)}`].join(
          ', ',
        ),
      }
    })
  } finally {
    await postgres.stop()
  }
}

function sumOf(tables: ReadonlyMap<string, number>): string {
  return [...tables.values()].reduce((sum, bytes) => sum + bytes, 0).toFixed(0)
}

async function addedBy(url: string, count: number): Promise<Map<string, Bytes>> {
  const service = await startService({ url }, { environment: WEBHOOKS, passwords, stops: 'by_caller' })
  const { storage } = service.context
  const added = new Map<string, Bytes>()
  for (const [name, work] of unitsOf(await openShop(service))) {
    const before = await read(storage)
    for (let n = 0; n < count; n++) {
      // Limits on guessing count by the hour.
      if (n % 20 === 0) await storage.db.deleteFrom('rate_limits').execute()
      await work(service, n)
    }
    const { tables, log } = await read(storage)
    const grown = [...tables].map(([table, bytes]) => [table, (bytes - (before.tables.get(table) ?? 0)) / count] as const)
    added.set(name, { tables: new Map(grown), log: (log - before.log) / count })
  }
  await service.stop()
  return added
}

async function read({ db, address }: Storage): Promise<Bytes> {
  const isSqlite = address.dialect === 'sqlite'
  // The limits on guessing are emptied all the time here; in life each of their rows is gone after an hour.
  const sizes = isSqlite
    ? sql<Size>`select tbl_name as name, sum(pgsize) as bytes from dbstat join sqlite_master using (name) where tbl_name != 'rate_limits' group by 1`
    : sql<Size>`select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace and relname != 'rate_limits'`
  const { rows } = await sizes.execute(db)
  const log = isSqlite
    ? undefined
    : await sql<{ log: number }>`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as log`.execute(db)
  return { tables: new Map(rows.map(({ name, bytes }) => [name, Number(bytes)])), log: log?.rows[0]?.log ?? 0 }
}

interface Size {
  name: string
  bytes: number
}
