import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eachDatabase } from '../../test/support/databases.ts'
import { until } from '../../test/support/until.ts'
import { timeOfId } from '../kit/index.ts'
import { migrate, openStorage, parseDatabaseUrl } from '../storage/index.ts'
import { forgetInAudit, listAudit, recordAudit } from './index.ts'

const AT = 1_800_000_000_000

eachDatabase('The audit trail', (database) => {
  it('lists actions newest first, page by page, by action or by what was touched', async () => {
    const storage = await openStorage(parseDatabaseUrl((await database.fresh()).url) ?? assert.fail())
    await migrate(storage)
    for (let i = 0; i < 5; i++) {
      const target = i % 2 ? 'odd' : 'even'
      await recordAudit(storage.db, { actor: 'operator:cli', action: i < 3 ? 'user.disable' : 'user.enable', target, after: { i } }, AT + i)
    }
    const first = await listAudit(storage.db, { limit: 3 })
    assert.deepEqual(
      first.map(({ at }) => at - AT),
      [4, 3, 2],
    )
    const rest = await listAudit(storage.db, { limit: 3, cursor: first[2]?.id ?? '' })
    assert.deepEqual(
      rest.map(({ after }) => after),
      [{ i: 1 }, { i: 0 }],
    )
    assert.equal((await listAudit(storage.db, { limit: 9, action: 'user.enable' })).length, 2)
    const { id = '', ...record } = (await listAudit(storage.db, { limit: 1, target: 'odd' }))[0] ?? {}
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.deepEqual(record, { at: AT + 3, actor: 'operator:cli', action: 'user.enable', target: 'odd', after: { i: 3 } })
    await storage.close()
  })

  it('lists what was done from one moment on, and before another', async () => {
    const storage = await openStorage(parseDatabaseUrl((await database.fresh()).url) ?? assert.fail())
    await migrate(storage)
    for (let i = 0; i < 3; i++) {
      await recordAudit(storage.db, { actor: 'system', action: 'a.action', target: 'x', after: { i } }, AT)
      const recordedAt = Date.now()
      await until(() => Date.now() > recordedAt)
    }
    const [third = assert.fail(), second = assert.fail()] = await listAudit(storage.db, { limit: 9 })
    const listed = async (filter: { since?: number; until?: number }) =>
      (await listAudit(storage.db, { limit: 9, ...filter })).map(({ after }) => after)
    assert.deepEqual(await listed({ since: timeOfId(second.id), until: timeOfId(third.id) }), [{ i: 1 }])
    assert.deepEqual(await listed({ since: timeOfId(third.id) }), [{ i: 2 }])
    assert.deepEqual(await listed({ until: timeOfId(second.id) }), [{ i: 0 }])
    await storage.close()
  })

  it('says of a user who is forgotten what was done, but neither what it changed of them nor where they were, whatever they did', async () => {
    const storage = await openStorage(parseDatabaseUrl((await database.fresh()).url) ?? assert.fail())
    await migrate(storage)
    const [about, ip] = [{ before: { name: 'Ana' }, after: { name: 'Bia' }, reason: 'Ana asked' }, '203.0.113.7']
    for (const [actor, target] of [
      ['user:ana', 'ana'],
      ['user:ana', 'session'],
      ['user:root', 'ana'],
      ['user:root', 'bia'],
    ] as const)
      await recordAudit(storage.db, { actor, action: 'a.action', target, ...about, ip }, AT)
    await storage.transaction((tx) => forgetInAudit(tx, 'ana', []))
    const left = await listAudit(storage.db, { limit: 9 })
    assert.deepEqual(
      left.map(({ id, ...record }) => record),
      [
        { at: AT, actor: 'user:root', action: 'a.action', target: 'bia', ...about, ip },
        { at: AT, actor: 'user:root', action: 'a.action', target: 'ana' },
        { at: AT, actor: 'user:ana', action: 'a.action', target: 'session', ...about },
        { at: AT, actor: 'user:ana', action: 'a.action', target: 'ana' },
      ],
    )
    await storage.close()
  })

  it('holds nothing of an action that was rolled back', async () => {
    const storage = await openStorage(parseDatabaseUrl((await database.fresh()).url) ?? assert.fail())
    await migrate(storage)
    const failing = storage.transaction(async (tx) => {
      await recordAudit(tx, { actor: 'system', action: 'a.action', target: 'x' }, AT)
      throw new Error('half way')
    })
    await assert.rejects(failing)
    assert.deepEqual(await listAudit(storage.db, { limit: 9 }), [])
    await storage.close()
  })
})
