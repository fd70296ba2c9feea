import { type Actor, recordAudit } from '../../audit/index.ts'
import type { Checked } from './check-subscriptions.ts'
import { type Difference, losesAccess } from './compare.ts'
import { type FixDeps, type Fixed, fixStream } from './fix-stream.ts'

interface FixedAll extends Fixed {
  /** Differences that stay: nothing follows from a stream without events. */
  left: Difference[]
}

/** `most`: so many subscriptions may lose access without being asked for. */
type FixRefusal = { refusal: 'too_many_lose'; losing: number; most: number }

/** Fewer than these may lose access in any installation: a small one has no 1 %. */
const FEW = 10
const SHARE = 0.01

/**
 * Fixes the subscriptions that a check has found to differ, stream by stream, beside the service. An interrupted run is run again. A wrong
 * rule of the fold must not take access from everybody: where more than a few of those that give access would lose it, nothing is changed,
 * unless `any` may.
 */
export async function fixSubscriptions(
  { giving, differences }: Pick<Checked, 'giving' | 'differences'>,
  { losing: mayLose }: { losing: 'few' | 'any' },
  { actor, onStream, ...deps }: FixDeps & { actor: Actor; onStream?: (count: number, total: number) => void },
): Promise<FixedAll | FixRefusal> {
  const { storage, now } = deps
  const { toFix, left } = apart(differences)
  const at = now()
  const losing = toFix.filter((difference) => losesAccess(difference, at)).length
  const most = Math.max(FEW, Math.floor(giving * SHARE))
  if (mayLose === 'few' && losing > most) return { refusal: 'too_many_lose', losing, most }
  const fixed: FixedAll = { changed: [], lost: 0, left }
  const ids = [...new Set(toFix.map(({ streamId }) => streamId))]
  if (ids.length === 0) return fixed
  const audit = (after: Record<string, unknown>) =>
    recordAudit(storage.db, { actor, action: 'subscription.rebuild', target: 'subscriptions', after }, now())
  await audit({ state: 'begun' })
  for (const [i, id] of ids.entries()) {
    const { changed, lost } = await fixStream(id, deps)
    fixed.changed.push(...changed)
    fixed.lost += lost
    onStream?.(i + 1, ids.length)
  }
  await audit({ state: 'done', changed: fixed.changed.length, lostAccess: fixed.lost })
  return fixed
}

/** The events of a stream come to one subscription at least: where there should not even be the first, there are no events. */
function apart(differences: readonly Difference[]): { toFix: Difference[]; left: Difference[] } {
  const empty = new Set(differences.flatMap(({ streamId, number, computed }) => (number === 0 && !computed ? [streamId] : [])))
  const { toFix = [], left = [] } = Object.groupBy(differences, ({ streamId }) => (empty.has(streamId) ? 'left' : 'toFix'))
  return { toFix, left }
}
