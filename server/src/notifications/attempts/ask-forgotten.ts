import { HOUR_MS, type Now, type Sealer } from '../../kit/index.ts'
import { inPortions, type Storage } from '../../storage/index.ts'
import { leaveToFetch } from './ask-gateway.ts'
import { failedStore } from './failed-store.ts'

/** A job is written with its notification. During an update the nodes of the earlier version leave jobs under ids of their own. */
const FORGOTTEN_AFTER_MS = HOUR_MS

/**
 * Has the gateways asked about notifications that wait for them and whose job is gone, or died without a word: else they would wait for
 * ever. Asking once more than needed changes nothing, since the same answer is the same event.
 */
export async function askForgotten({ storage, sealer, now }: { storage: Storage; sealer: Sealer; now: Now }): Promise<void> {
  const at = now()
  const before = at - FORGOTTEN_AFTER_MS
  let after = ''
  await inPortions(async (limit) => {
    const asked = await failedStore(storage.db).listAsked({ before, after, limit })
    for (const { id, source, productId, hasJob } of asked) {
      if (hasJob || productId === undefined) continue
      await storage.transaction(async (tx) => {
        if (await failedStore(tx).holdAwaiting(id)) await leaveToFetch(tx, { id, source, productId }, { sealer, at })
      })
    }
    after = asked.at(-1)?.id ?? after
    return asked.length
  })
}
