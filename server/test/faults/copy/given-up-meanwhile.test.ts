import assert from 'node:assert/strict'
import { it } from 'node:test'
import { copyDatabase, giveUpCopy } from '../../../src/admin/index.ts'
import { lowerFence, openStorage, parseDatabaseUrl, type Storage } from '../../../src/storage/index.ts'
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
})
