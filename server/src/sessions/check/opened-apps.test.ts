import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eachDatabase } from '../../../test/support/databases.ts'
import { startService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'
import type { ChangeEvent } from '../../changes/index.ts'
import { openedAppStore } from '../../users/index.ts'
import { createOpenedApps } from './opened-apps.ts'

eachDatabase('An app that a user opened', (database) => {
  it('is noted again once the user has changed, or the node has lost sight of the changes', async () => {
    const service = await startService(await database.fresh())
    const { storage } = service.context
    const [{ id: ana }, { id: bia }] = [await service.user('ana@exemplo.com.br'), await service.user('bia@exemplo.com.br')]
    const { product: app } = await service.product({ slug: 'mural', name: 'Mural', uris: ['https://mural.example/auth/callback'] })
    const followers: Array<(change: ChangeEvent) => void> = []
    const openedApps = createOpenedApps({
      storage,
      changes: { follow: (follower) => void followers.push(follower) },
      now: () => 1_800_000_000_000,
      onFault: (error) => assert.fail(String(error)),
    })
    const note = (userId: string) => openedApps.note({ userId, impersonation: undefined }, app.id)
    const isNoted = async (userId: string) => (await openedAppStore(storage.db).list(userId, 10)).length > 0
    const lose = async (userId: string) => void (await openedAppStore(storage.db).removeOfUser(userId))
    const say = (change: ChangeEvent) => followers.forEach((follower) => void follower(change))
    for (const userId of [ana, bia]) {
      note(userId)
      await until(() => isNoted(userId))
      await lose(userId)
      note(userId)
    }
    say({ kind: 'user_changed', subject: ana })
    note(ana)
    await until(() => isNoted(ana))
    // The one written after it is there, so the one before would be.
    assert.equal(await isNoted(bia), false, 'a user who did not change was written once more')
    say({ kind: 'everything_changed' })
    note(bia)
    await until(() => isNoted(bia))
  })
})
