import type { ChangeFeed } from '../../changes/index.ts'
import { BoundedMap, type Now } from '../../kit/index.ts'
import { isDatabaseAway, type Storage } from '../../storage/index.ts'
import { openedAppStore } from '../../users/index.ts'
import type { LiveSession } from '../session.ts'

/** About 20 MB. What was forgotten is written once more, which changes nothing. */
const MAX_USERS = 50_000

/** Notes which internal apps users are in that never send them here. */
export interface OpenedApps {
  /** One statement for each user and app until the user changes, and not waited for; none for whoever impersonates the user. */
  note(session: Pick<LiveSession, 'userId' | 'impersonation'>, productId: string): void
}

export function createOpenedApps({
  storage,
  changes,
  now,
  onFault,
}: {
  storage: Pick<Storage, 'db'>
  changes: Pick<ChangeFeed, 'follow'>
  now: Now
  onFault: (error: unknown) => void
}): OpenedApps {
  const noted = new BoundedMap<string, Set<string>>(MAX_USERS)
  // Their rows may be gone: an account that was not verified loses them to its owner, a database that lost its tail has lost rows too.
  changes.follow((change) => {
    if (change.kind === 'user_changed') noted.delete(change.subject)
    if (change.kind === 'everything_changed') noted.clear()
  })
  return {
    note({ userId, impersonation }, productId) {
      const apps = noted.get(userId) ?? new Set()
      if (impersonation || apps.has(productId)) return
      noted.set(userId, apps.add(productId))
      openedAppStore(storage.db)
        .note(userId, productId, now())
        .catch((error: unknown) => {
          apps.delete(productId)
          // It is noted at the next check, and a check that is answered from memory has nothing to report.
          if (!isDatabaseAway(error)) onFault(error)
        })
    },
  }
}
