import assert from 'node:assert/strict'
import { it } from 'node:test'
import { findUser } from '../../../src/admin/index.ts'
import { claimUnverifiedAccount } from '../../../src/users/claim-unverified-account.ts'
import { openedAppStore } from '../../../src/users/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { startService } from '../../support/service.ts'

eachDatabase('11: an account with an unverified address', (database) => {
  it('is claimed without the apps that somebody else went to in it', async () => {
    const service = await startService(await database.fresh())
    const { changes, storage, now } = service.context
    const { id, email } = await service.user('ana@exemplo.com.br')
    const { product } = await service.product({ slug: 'segredo', name: 'Clube Secreto', audience: 'internal', checkout: 'integrated' })
    await openedAppStore(storage.db).note(id, product.id, now())
    assert.equal((await openedAppStore(storage.db).list(id, 9)).length, 1)
    const user = (await findUser(storage.db, email)) ?? assert.fail()
    await changes.transaction((tx, announce) => claimUnverifiedAccount(tx, user, { announce, now }))
    assert.deepEqual(await openedAppStore(storage.db).list(id, 9), [])
  })
})
