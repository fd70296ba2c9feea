import type { Metrics } from '../../http/index.ts'
import type { Now } from '../../kit/index.ts'
import { dayIn, readZone } from '../../reports/index.ts'
import { isFailedSignIn } from '../../sign-in/index.ts'
import type { Storage } from '../../storage/index.ts'
import { dailyCountStore } from './daily-count-store.ts'

/**
 * Answers a function that adds this node's failed sign-ins since its last call to those of the day, by kind. They are counted in memory,
 * where an attack costs nothing: a thousand guesses a second write one row a minute.
 */
export function countFailedSignIns({ metrics, storage, now }: { metrics: Metrics; storage: Storage; now: Now }): () => Promise<void> {
  const written = new Map<string, number>()
  const note = (kind: string, count: number) => written.set(kind, (written.get(kind) ?? 0) + count)
  return async () => {
    const { values } = await metrics.signIns.get()
    const fresh = new Map<string, number>()
    for (const { labels, value } of values) {
      const kind = String(labels.result)
      if (isFailedSignIn(kind)) fresh.set(kind, (fresh.get(kind) ?? -(written.get(kind) ?? 0)) + value)
    }
    for (const [kind, count] of fresh) if (count === 0) fresh.delete(kind)
    if (fresh.size === 0) return
    // At once: a concurrent call must not add the same.
    for (const [kind, count] of fresh) note(kind, count)
    try {
      const day = dayIn(await readZone(storage.db))(now())
      for (const [kind, count] of fresh) {
        await dailyCountStore(storage.db).addFailed(day, kind, count)
        fresh.delete(kind)
      }
    } catch (error) {
      for (const [kind, count] of fresh) note(kind, -count)
      throw error
    }
  }
}
