import { BoundedMap, type Now } from '../../kit/index.ts'
import { isDatabaseAway, type Storage } from '../../storage/index.ts'
import { openedAppStore } from '../../users/index.ts'
import type { LiveSession } from '../session.ts'

/** About 20 MB. A pair that was forgotten is written once more, which changes nothing. */
const MAX_PAIRS = 100_000

/** Notes which internal apps users are in that never send them here. */
export interface OpenedApps {
  /** One statement for each user and app in the life of a node, and not waited for; none for whoever impersonates the user. */
  note(session: Pick<LiveSession, 'userId' | 'impersonation'>, productId: string): void
}

export function createOpenedApps({
  storage,
  now,
  onFault,
}: {
  storage: Pick<Storage, 'db'>
  now: Now
  onFault: (error: unknown) => void
}): OpenedApps {
  const noted = new BoundedMap<string, true>(MAX_PAIRS)
  return {
    note({ userId, impersonation }, productId) {
      const pair = `${userId} ${productId}`
      if (impersonation || noted.get(pair)) return
      noted.set(pair, true)
      openedAppStore(storage.db)
        .note(userId, productId, now())
        .catch((error: unknown) => {
          noted.delete(pair)
          // It is noted at the next check, and a check that is answered from memory has nothing to report.
          if (!isDatabaseAway(error)) onFault(error)
        })
    },
  }
}
