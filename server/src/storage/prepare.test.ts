import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { eachDatabase } from '../../test/support/databases.ts'
import { migrate, openStorage, parseDatabaseUrl, prepare, prepareWithList } from './index.ts'

const put = prepare((db, { name, value }: { name: string; value: string }) =>
  db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql`${value} || '!'` }))
    .returning(['name', 'value']),
)
const find = prepare((db, { name }: { name: string }) => db.selectFrom('settings').select('value').where('name', 'in', [name, 'constant']))

const putAll = prepareWithList((db, { value }: { value: string }, names) =>
  db.insertInto('settings').values(names.map((name) => ({ name, value }))),
)
const findAll = prepareWithList((db, { value }: { value: string }, names) =>
  db.selectFrom('settings').select('name').where('name', 'in', names).where('value', '=', value).orderBy('name'),
)

eachDatabase('A statement that is built once', (database) => {
  const open = async () => {
    const storage = await openStorage(parseDatabaseUrl((await database.fresh()).url) ?? assert.fail())
    await migrate(storage)
    return storage
  }

  it('runs with the values of each call, in their places, inside a transaction and outside', async () => {
    const storage = await open()
    assert.deepEqual({ ...(await put(storage.db, { name: 'a', value: '1' })).rows[0] }, { name: 'a', value: '1' })
    await storage.transaction(async (tx) => {
      assert.deepEqual({ ...(await put(tx, { name: 'b', value: '2' })).rows[0] }, { name: 'b', value: '2' })
      assert.deepEqual({ ...(await put(tx, { name: 'b', value: "it's" })).rows[0] }, { name: 'b', value: "it's!" })
    })
    assert.deepEqual(
      (await find(storage.db, { name: 'b' })).rows.map(({ value }) => value),
      ["it's!"],
    )
    assert.deepEqual((await find(storage.db, { name: 'c' })).rows, [])
    await storage.close()
  })

  it('is refused where it spreads its values, or takes the rest of them: none would be bound', async () => {
    const storage = await open()
    const rest = prepare((db, { name, ...other }: { name: string; value: string }) => db.insertInto('settings').values({ name, ...other }))
    const spread = prepare((db, values: { name: string; value: string }) => db.insertInto('settings').values({ ...values }))
    for (const statement of [rest, spread]) await assert.rejects(async () => statement(storage.db, { name: 'a', value: '1' }), /one by one/)
    await storage.close()
  })

  it('is refused by a transaction that is over, however it ended', async () => {
    const storage = await open()
    const ended: Array<Parameters<typeof put>[0]> = []
    await storage.transaction(async (tx) => void ended.push(tx))
    const failing = storage.transaction(async (tx) => {
      ended.push(tx)
      throw new Error('half way')
    })
    await assert.rejects(failing, /half way/)
    for (const tx of ended) await assert.rejects(async () => put(tx, { name: 'late', value: '1' }))
    await storage.transaction(async () => {
      for (const tx of ended) await assert.rejects(async () => put(tx, { name: 'late', value: '1' }))
    })
    assert.deepEqual((await find(storage.db, { name: 'late' })).rows, [])
    await storage.close()
  })

  it('takes a list of any length, each time with the values of that call', async () => {
    const storage = await open()
    const names = Array.from({ length: 20 }, (_, i) => `name ${String.fromCharCode(97 + i)}`)
    const found = async (value: string, asked: readonly string[]) =>
      (await findAll(storage.db, { value }, asked)).rows.map(({ name }) => name)
    await putAll(storage.db, { value: 'first' }, names.slice(0, 2))
    await storage.transaction(async (tx) => void (await putAll(tx, { value: 'second' }, names.slice(2, 4))))
    await putAll(storage.db, { value: 'second' }, names.slice(4))
    assert.deepEqual(await found('first', names.slice(0, 1)), names.slice(0, 1))
    assert.deepEqual(await found('first', names.slice(1, 2)), names.slice(1, 2))
    assert.deepEqual(await found('second', names.slice(1, 4)), names.slice(2, 4))
    assert.deepEqual(await found('second', names), names.slice(2))
    await storage.close()
  })
})
