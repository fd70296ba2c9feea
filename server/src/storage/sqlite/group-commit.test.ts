import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import type { TestDatabase } from '../../../test/support/databases.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { migrate, openStorage, parseDatabaseUrl, type Storage } from '../index.ts'

const put = (name: string) => ({ name, value: 'kept' })

eachDatabase('transactions that come together', (database) => {
  const open = () => openFresh(database)
  const kept = async (storage: Storage) =>
    (await storage.db.selectFrom('settings').select('name').orderBy('name').execute()).map(({ name }) => name)
  const insert = (storage: Storage, name: string) =>
    storage.transaction(async (tx) => {
      await tx.insertInto('settings').values(put(name)).execute()
      return name
    })

  it('are all kept, and each answers its own result', async () => {
    const storage = await open()
    const names = Array.from({ length: 200 }, (_, n) => `n${String(n).padStart(3, '0')}`)
    assert.deepEqual(await Promise.all(names.map((name) => insert(storage, name))), names)
    assert.deepEqual(await kept(storage), names)
    await storage.close()
  })

  it('are undone one by one: a refused one takes no other with it', async () => {
    const storage = await open()
    const refused = (name: string) =>
      storage.transaction(async (tx) => {
        await tx.insertInto('settings').values(put(name)).execute()
        throw new Error(`${name} refused`)
      })
    await insert(storage, 'taken')
    const actions = [refused('a'), insert(storage, 'b'), refused('c'), insert(storage, 'taken'), insert(storage, 'd'), refused('e')]
    assert.deepEqual(
      (await Promise.allSettled(actions)).map(({ status }) => status),
      ['rejected', 'fulfilled', 'rejected', 'rejected', 'fulfilled', 'rejected'],
    )
    assert.deepEqual(await kept(storage), ['b', 'd', 'taken'])
    await storage.close()
  })

  it('are run again once where one of them rolls back, and not at the next rollbacks', async () => {
    const storage = await open()
    const runs = new Map<string, number>()
    const begin = (name: string, isRefused = false) =>
      storage.transaction(async (tx) => {
        runs.set(name, (runs.get(name) ?? 0) + 1)
        await tx.insertInto('settings').values(put(name)).execute()
        if (isRefused) throw new Error(`${name} refused`)
      })
    const round = (n: number) => Promise.allSettled([begin(`${n}a`), begin(`${n}b`), begin(`${n}c`, true), begin(`${n}d`)])
    for (const n of [1, 2, 3])
      assert.deepEqual(
        (await round(n)).map(({ status }) => status),
        ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
      )
    assert.deepEqual(
      await kept(storage),
      [1, 2, 3].flatMap((n) => [`${n}a`, `${n}b`, `${n}d`]),
    )
    const again = [...runs].filter(([, count]) => count > 1)
    assert.deepEqual(new Map(again), new Map(database.name === 'sqlite' ? ['1a', '1b', '1c'].map((name) => [name, 2]) : []))
    await storage.close()
  })

  it('are refused by what is committed, never by what another one of them undoes', async () => {
    const storage = await open()
    const first = storage.transaction(async (tx) => {
      await tx.insertInto('settings').values(put('one')).execute()
    })
    const second = storage.transaction(async (tx) => {
      await tx.insertInto('settings').values(put('one')).execute()
    })
    const results = await Promise.allSettled([first, second])
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'], 'one of both is kept')
    assert.deepEqual(await kept(storage), ['one'])
    await storage.close()
  })
})

eachDatabase('a commit that fails', (database) => {
  it('fails every transaction that was to be committed with it, and the next ones go on', async () => {
    const storage = await openFresh(database)
    // A constraint that is looked at when the transaction ends makes the commit itself fail.
    await sql`create table owners (id integer primary key)`.execute(storage.db)
    await sql`create table things (owner integer references owners (id) deferrable initially deferred)`.execute(storage.db)
    const orphan = () => storage.transaction((tx) => sql`insert into things (owner) values (1)`.execute(tx))
    const sound = () => storage.transaction((tx) => tx.insertInto('settings').values(put('sound')).execute())
    const look = async () => (await sql`select * from things`.execute(storage.db)).rows.length
    const [first, second, seen] = await Promise.allSettled([orphan(), sound(), look()])
    assert.equal(first.status, 'rejected')
    assert.deepEqual(seen, { status: 'fulfilled', value: 0 }, 'a question sees only what is committed')
    const rows = await storage.db.selectFrom('settings').selectAll().execute()
    assert.equal(rows.length, second.status === 'fulfilled' ? 1 : 0, 'what was acknowledged is there, what was refused is not')
    await storage.transaction((tx) => tx.insertInto('settings').values(put('after')).execute())
    assert.equal((await storage.db.selectFrom('settings').selectAll().where('name', '=', 'after').execute()).length, 1)
    await storage.close()
  })
})

async function openFresh(database: TestDatabase): Promise<Storage> {
  const address = parseDatabaseUrl((await database.fresh()).url)
  if (!address) throw new Error('no address of a database')
  const storage = await openStorage(address)
  await migrate(storage)
  return storage
}
