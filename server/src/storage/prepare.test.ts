import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { eachDatabase } from '../../test/databases.ts'
import { migrate, openStorage, parseDatabaseUrl, prepare } from './index.ts'

const put = prepare((db, { name, value }: { name: string; value: string }) =>
  db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql`${value} || '!'` }))
    .returning(['name', 'value']),
)
const find = prepare((db, { name }: { name: string }) => db.selectFrom('settings').select('value').where('name', 'in', [name, 'constant']))

eachDatabase('A statement that is built once', (database) => {
  it('runs with the values of each call, in their places, inside a transaction and outside', async () => {
    const address = parseDatabaseUrl((await database.fresh()).url)
    if (!address) throw new Error('no address of a database')
    const storage = await openStorage(address)
    await migrate(storage)
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
})
