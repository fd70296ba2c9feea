import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from 'kysely'
import { eachDatabase } from '../../../test/support/databases.ts'
import {
  isUniqueViolation,
  migrate,
  openStorage,
  parseDatabaseUrl,
  prepare,
  type Queryable,
  readSetting,
  type Storage,
  type Transaction,
  writeSetting,
} from '../index.ts'

eachDatabase('A transaction', (database) => {
  const opened: Storage[] = []
  after(() => Promise.all(opened.map((storage) => storage.close())))
  const open = async () => {
    const storage = await openStorage(parseDatabaseUrl((await database.fresh()).url) ?? assert.fail())
    opened.push(storage)
    await migrate(storage)
    return storage
  }

  it('is there whole when it resolves, and not at all when it rejects', async () => {
    const storage = await open()
    await storage.transaction((tx) => writeSetting(tx, 'kept', '1'))
    const failing = storage.transaction(async (tx) => {
      await writeSetting(tx, 'kept', '2')
      await writeSetting(tx, 'lost', '2')
      throw new Error('half way')
    })
    await assert.rejects(failing, /half way/)
    assert.equal(await readSetting(storage.db, 'kept'), '1')
    assert.equal(await readSetting(storage.db, 'lost'), undefined)
  })

  it('refuses the root handle inside, which would wait for itself or ask outside', { timeout: 5_000 }, async () => {
    const storage = await open()
    const asking = storage.transaction(async () => readSetting(storage.db, 'kept'))
    await assert.rejects(asking, /root handle/)
    const raw = storage.transaction(async () => sql`select 1`.execute(storage.db))
    await assert.rejects(raw, /root handle/)
    const nested = storage.transaction(() => storage.transaction(async () => 'never'))
    await assert.rejects(nested, /root handle/)
    const find = prepare((db: Queryable, { name }: { name: string }) => db.selectFrom('settings').select('value').where('name', '=', name))
    for (const time of ['compiled', 'compiled before'])
      await assert.rejects(
        storage.transaction(async () => find(storage.db, { name: 'kept' })),
        /root handle/,
        time,
      )
    assert.equal(await readSetting(storage.db, 'kept'), undefined, 'the handle is free again afterwards')
  })

  it('of one process waits for another one without stopping anything else', { timeout: 10_000 }, async () => {
    const storage = await open()
    const longest = watchEventLoop()
    const first = storage.transaction(async (tx) => {
      await writeSetting(tx, 'a', '1')
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      await writeSetting(tx, 'b', '1')
    })
    const others = Array.from({ length: 20 }, (_, i) => storage.transaction((tx) => writeSetting(tx, `other_${i}`, '1')))
    await Promise.all([first, ...others, writeSetting(storage.db, 'plain', '1')])
    // A loop that waits for the first one stands still for a second. A slow machine alone makes it stand still for a quarter of that.
    assert.ok(longest() < 400, `the event loop stood still for ${longest()} ms`)
    assert.equal(await readSetting(storage.db, 'b'), '1')
  })

  if (database.name === 'postgres') {
    it('is run again when the database ended it in favour of another: both are there, each once', async () => {
      const storage = await open()
      for (const name of ['a', 'b']) await writeSetting(storage.db, name, '')
      const add = (tx: Transaction, name: string, text: string) =>
        sql`update settings set value = value || ${text} where name = ${name}`.execute(tx)
      const both = Promise.withResolvers<void>()
      let begun = 0
      const inOrder = (first: string, second: string) =>
        storage.transaction(async (tx) => {
          await add(tx, first, '+')
          if (++begun === 2) both.resolve()
          await both.promise
          await add(tx, second, '+')
          return begun
        })
      await Promise.all([inOrder('a', 'b'), inOrder('b', 'a')])
      // On a busy machine both may look for the deadlock at once, and both are ended.
      assert.ok(begun > 2, 'one of them at least twice')
      assert.deepEqual([await readSetting(storage.db, 'a'), await readSetting(storage.db, 'b')], ['++', '++'])
    })

    it('is run three times at most, and only where the database says that it may be', async () => {
      const storage = await open()
      for (const [code, most] of [
        ['40001', 3],
        ['40P01', 3],
        ['23514', 1],
      ] as const) {
        let runs = 0
        const refused = storage.transaction((tx) => {
          runs++
          return sql`do ${sql.raw(`$$ begin raise exception 'x' using errcode = '${code}'; end $$`)}`.execute(tx)
        })
        await assert.rejects(refused, { code })
        assert.equal(runs, most, code)
      }
    })
  }

  it('that would write a unique value twice says so in one way', async () => {
    const { db } = await open()
    const insert = () => db.insertInto('handoff_redemptions').values({ jti: 'x', expires_at: 1 }).execute()
    await insert()
    await assert.rejects(insert(), isUniqueViolation)
    await assert.rejects(sql`select nothing from nowhere`.execute(db), (error) => !isUniqueViolation(error))
  })

  it('keeps references: what belongs to nobody can not be written, and goes with its owner', async () => {
    const { db } = await open()
    const orphan = {
      user_id: 'nobody',
      created_at: 1,
      nda_accepted_at: null,
      nda_ip: null,
      nda_user_agent: null,
      nda_version: null,
      nda_text_hash: null,
    }
    await assert.rejects(db.insertInto('beta_users').values(orphan).execute())
  })

  it('stores a time as a number and gives a number back, and takes no Date', async () => {
    const { db } = await open()
    const at = 8_640_000_000_000_000
    await db.insertInto('handoff_redemptions').values({ jti: 'time', expires_at: at }).execute()
    const row = await db.selectFrom('handoff_redemptions').selectAll().where('jti', '=', 'time').executeTakeFirstOrThrow()
    assert.deepEqual({ ...row }, { jti: 'time', expires_at: at })
    const { last } = await db
      .selectFrom('handoff_redemptions')
      .select((e) => e.fn.max('expires_at').as('last'))
      .executeTakeFirstOrThrow()
    assert.equal(last, at)
    await assert.rejects(sql`insert into handoff_redemptions (jti, expires_at) values ('date', ${new Date()})`.execute(db))
  })
})

/** Answers, when asked, how long the event loop has stood still at most, in ms. */
function watchEventLoop(): () => number {
  let last = performance.now()
  let longest = 0
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last - 10)
    last = performance.now()
  }, 10)
  return () => {
    clearInterval(timer)
    return Math.max(longest, performance.now() - last - 10)
  }
}

describe('A database address', () => {
  it('is a SQLite path or a PostgreSQL server, and nothing else', () => {
    assert.deepEqual(parseDatabaseUrl('sqlite:./data/portaria.db'), { dialect: 'sqlite', file: './data/portaria.db' })
    assert.deepEqual(parseDatabaseUrl('sqlite:///var/lib/portaria.db'), { dialect: 'sqlite', file: '/var/lib/portaria.db' })
    assert.deepEqual(parseDatabaseUrl('sqlite:/var/lib/portaria.db'), { dialect: 'sqlite', file: '/var/lib/portaria.db' })
    assert.equal(parseDatabaseUrl('postgres://u:p@h:5432/n')?.dialect, 'postgres')
    assert.equal(parseDatabaseUrl('postgresql://h/n')?.dialect, 'postgres')
    for (const text of ['', 'sqlite:', 'mysql://h/n', './portaria.db', 'file:portaria.db'])
      assert.equal(parseDatabaseUrl(text), undefined, text)
  })
})
