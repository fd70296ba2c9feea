import { type Actor, recordAudit } from '../audit/index.ts'
import type { Announce, ChangeFeed } from '../changes/index.ts'
import type { Now } from '../kit/index.ts'
import { rollBackRefusals, type Transaction } from '../storage/index.ts'
import { type Appearance, appearanceVersion } from './appearance.ts'
import { type AppearanceChange, type AppearanceRefusal, apply, parseChange, part } from './fields/appearance-change.ts'
import { findImageFault } from './images/find-image-fault.ts'
import { appearanceStore, holdAppearance } from './store.ts'

interface ChangeDeps {
  changes: ChangeFeed
  now: Now
  actor: Actor
  /** The version in the editor's copy; a newer one refuses the change. */
  seen?: string | undefined
}

/** Changes the look of a product, or of the operator, all of it or nothing. Every node has it within 2 s. */
export function changeAppearance(
  productId: string | undefined,
  change: AppearanceChange,
  { changes, now, actor, seen }: ChangeDeps,
): Promise<Appearance | AppearanceRefusal> {
  return rollBackRefusals<Appearance, AppearanceRefusal>((refuse) =>
    changes.transaction((tx, announce) => applyAppearanceChange(tx, productId, change, { announce, at: now(), actor, seen, refuse })),
  )
}

interface ApplyDeps {
  announce: Announce
  at: number
  actor: Actor
  seen?: string | undefined
  /** Ends the transaction. */
  refuse: (refusal: AppearanceRefusal) => never
}

/** The same in the caller's transaction. */
export async function applyAppearanceChange(
  tx: Transaction,
  productId: string | undefined,
  wanted: AppearanceChange,
  { announce, at, actor, seen, refuse }: ApplyDeps,
): Promise<Appearance> {
  const parsed = parseChange(wanted)
  if ('refusal' in parsed) return refuse(parsed)
  const { change } = parsed
  const before = await holdAppearance(tx, productId, at)
  if (seen !== undefined && appearanceVersion(before) !== seen) refuse({ refusal: 'changed_meanwhile' })
  const after = apply(before, change)
  const fault = await findImageFault(tx, after, change)
  if (fault) refuse(fault)
  await appearanceStore(tx).put(productId, after, at)
  const entry = { action: 'appearance.change', target: productId ?? 'operator' }
  await recordAudit(tx, { actor, ...entry, before: part(before, change), after: change }, at)
  announce({ kind: 'appearance_changed', subject: productId ?? 'operator' })
  return after
}
