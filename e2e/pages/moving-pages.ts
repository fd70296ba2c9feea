import { beginCopy } from '../../server/src/storage/index.ts'
import { startService } from '../../server/test/support/service.ts'
import { goTo, nameOperator, type PageFixture } from './page-fixture.ts'

/** The page that stands for all others while the database is copied to another one: how a user comes to it. */
export const movingPages: Readonly<Record<string, (fixture: PageFixture) => Promise<unknown>>> = {
  moving: async ({ tab, harness }) => {
    // A service of its own: the pages after this one need theirs. It lives as long as the tab's browser profile.
    const service = await startService({ url: 'sqlite::memory:' }, { stops: 'by_caller' })
    tab.context().once('close', () => void service.stop())
    await nameOperator(service)
    await service.context.changes.transaction(async (tx, announce) => {
      await beginCopy(tx, { id: 'copy', to: 'postgres://db.internal/portaria', beganAt: 0 })
      announce({ kind: 'copy_changed', subject: 'copy' })
    })
    await goTo({ tab, harness: { ...harness, service } }, '/login?redirect_to=https://app.example/callback', 503)
  },
}
