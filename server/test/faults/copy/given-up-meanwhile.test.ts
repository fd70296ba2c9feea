import assert from 'node:assert/strict'
import { it } from 'node:test'
import { copyDatabase, giveUpCopy } from '../../../src/admin/index.ts'
import {
  findCopy,
  forgetCopy,
  lowerFence,
  openStorage,
  parseDatabaseUrl,
  raiseFence,
  type Storage,
  throughFence,
} from '../../../src/storage/index.ts'
import { commandLine } from '../../support/command-line.ts'
import { eachDirection } from '../../support/databases.ts'
import { cheapPasswords, startService } from '../../support/service.ts'

const open = ({ url }: { url: string }) => openStorage(parseDatabaseUrl(url) ?? assert.fail())

eachDirection('A copy that is being given up', (from, to) => {
  it('is not whole: once a table can be written, the source may have what nobody has compared', async () => {
    const [here, there] = [await from.fresh(), await to.empty()]
    const service = await startService(here, { passwords: cheapPasswords })
    await service.user('ana@example.com')
    const real = await open(there)
    const other = await open(here)
    let isFenced = false
    let isOpened = false
    // The first half of giving up, in another process: then that one is killed, or slow.
    const target: Storage = {
      ...real,
      transaction: async (work) => {
        if (isFenced && !isOpened) {
          isOpened = true
          await lowerFence(other)
        }
        return real.transaction(work)
      },
    }
    const operator = { ...service.context, actor: 'operator:test', onWait: () => undefined }
    const onFenced = () => {
      isFenced = true
    }
    const done = await copyDatabase({ ...operator, target, onFenced, step: () => undefined })
    assert.ok(isOpened)
    assert.deepEqual(done, { refusal: 'given_up' })
    const notes = async ({ db }: Storage) =>
      (await db.selectFrom('settings').select(['name', 'value']).execute()).filter(({ name }) => name.startsWith('copied_'))
    assert.deepEqual(
      (await notes(real)).map(({ name }) => name),
      ['copied_from'],
      'nobody uses it',
    )
    assert.deepEqual(
      (await notes(other)).map(({ name, value }) => [name, 'doneAt' in JSON.parse(value)]),
      [['copied_to', false]],
    )
    // Both ways on are open: the giving up comes to its end, or the copy goes on and compares again.
    const again = await copyDatabase({ ...operator, target: real, onFenced: () => undefined, step: () => undefined })
    assert.ok('tables' in again, JSON.stringify(again))
    assert.ok('doneAt' in (await giveUpCopy(operator)))
    assert.equal((await commandLine(here)('user create --email bia@example.com --name Bia')).code, 0)
    await real.close()
    await other.close()
    await service.stop()
  })

  it('raises no fence any more, though it comes to it late: nobody would know of one, and nothing could be written', async () => {
    const [here, there] = [await from.fresh(), await to.empty()]
    const service = await startService(here, { passwords: cheapPasswords })
    await service.user('ana@example.com')
    const target = await open(there)
    const operator = { ...service.context, actor: 'operator:test', onWait: () => undefined }
    // Between its note and its first table the copy hangs, as behind a dump. It is given up meanwhile.
    const changes: typeof operator.changes = {
      ...operator.changes,
      transaction: async (work) => {
        const answer = await operator.changes.transaction(work)
        assert.ok('beganAt' in (await giveUpCopy(operator)))
        return answer
      },
    }
    const onFenced = () => assert.fail('it is nobody’s fence')
    assert.deepEqual(await copyDatabase({ ...operator, changes, target, onFenced, step: () => undefined }), { refusal: 'given_up' })
    const created = await commandLine(here)('user create --email bia@example.com --name Bia')
    assert.equal(created.code, 0, created.err)
    await target.close()
    await service.stop()
  })

  it("is given up though it fences tables behind the giving up, which then can't note its end", async () => {
    const [here, there] = [await from.fresh(), await to.empty()]
    const service = await startService(here, { passwords: cheapPasswords })
    const target = await open(there)
    const operator = { ...service.context, actor: 'operator:test', onWait: () => undefined }
    assert.ok('tables' in (await copyDatabase({ ...operator, target, onFenced: () => undefined, step: () => undefined })))
    let tries = 0
    const changes: typeof operator.changes = {
      ...operator.changes,
      transaction: async (work) => {
        if (++tries === 1)
          assert.ok(await raiseFence(service.context.storage, (await findCopy(service.context.storage.db)) ?? assert.fail()))
        return operator.changes.transaction(work)
      },
    }
    assert.ok('doneAt' in (await giveUpCopy({ ...operator, changes })))
    assert.equal(tries, 2)
    assert.equal((await commandLine(here)('user create --email bia@example.com --name Bia')).code, 0)
    await target.close()
    await service.stop()
  })

  it('leaves no fence for good: one without a note is named by doctor and by copy, and removed by --give-up', async () => {
    const [here, there] = [await from.fresh(), await to.empty()]
    const portaria = commandLine(here)
    const create = (name: string) => portaria(`user create --email ${name}@example.com --name ${name}`)
    assert.equal((await create('ana')).code, 0)
    assert.equal((await portaria(['copy', '--from', here.url, '--to', there.url])).code, 0)
    const source = await open(here)
    await throughFence(source, ['settings'], forgetCopy)
    await source.close()
    assert.equal((await create('bia')).code, 1)
    const copies = (await portaria('doctor --json')).json.checks.filter(({ name }: { name: string }) => name === 'copy')
    assert.deepEqual(
      copies.map(({ status, message }: { status: string; message: string }) => [status, /read only.+--give-up/.test(message)]),
      [['fail', true]],
    )
    assert.match((await portaria(['copy', '--from', here.url, '--to', (await to.empty()).url])).err, /read only.+--give-up/)
    const given = await portaria(['copy', '--from', here.url, '--give-up'])
    assert.deepEqual([given.code, given.out], [0, 'No copy was noted; the tables can be written again.\n'], given.err)
    assert.equal((await create('bia')).code, 0)
    assert.equal((await portaria('audit list --action database.copy_give_up --json')).json.length, 1)
    assert.match((await portaria(['copy', '--from', here.url, '--give-up'])).err, /is not being copied/)
  })
})
