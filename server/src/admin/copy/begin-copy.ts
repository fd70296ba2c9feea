import type { Actor } from '../../audit/index.ts'
import type { ChangeFeed } from '../../changes/index.ts'
import { type Now, newId } from '../../kit/index.ts'
import {
  type Copy,
  describeAddress,
  findCopy,
  findProgress,
  hasFence,
  type NeedsNewer,
  type RowsRefusal,
  type Step,
  type Storage,
  type shapesOf,
  type TargetRefusal,
  takeAsTarget,
} from '../../storage/index.ts'
import { claimSource, type NeverFree, type Waiting } from './claim-source.ts'

export interface CopyDeps extends Waiting {
  /** The source. */
  storage: Storage
  changes: Pick<ChangeFeed, 'transaction'>
  target: Storage
  now: Now
  actor: Actor
  /** Called once the source can be read only, with the tables that are copied. */
  onFenced: (tables: readonly string[]) => unknown
  step: Step
}

export type CopyRefusal =
  | NeedsNewer
  | TargetRefusal
  | RowsRefusal
  | NeverFree
  | { refusal: 'newer_tables'; version: string }
  | { refusal: 'copied_elsewhere'; to: string }
  | { refusal: 'done_already' }
  | { refusal: 'only_fence' }
  | { refusal: 'given_up' }
  | { refusal: 'different'; tables: string[] }

type Tables = Awaited<ReturnType<typeof shapesOf>>['tables']
export type Progress = Exclude<Awaited<ReturnType<typeof takeAsTarget>>, { refusal: string }>

/** Several processes may begin at once: the first one's copy is that of all. */
const MAX_TRIES = 5

export async function beginCopy(deps: CopyDeps, tables: Tables): Promise<{ copy: Copy; progress: Progress } | CopyRefusal> {
  const { storage: source, target, now } = deps
  const to = describeAddress(target.address)
  for (let attempt = 1; ; attempt++) {
    const isFenced = await hasFence(source) // before its note is read: the note comes first, and goes last
    const found = await findCopy(source.db)
    if (isFenced && !found) return { refusal: 'only_fence' }
    if (found && found.to !== to) return { refusal: 'copied_elsewhere', to: found.to }
    if (found?.doneAt !== undefined && !(await findProgress(target.db))) return { refusal: 'done_already' }
    const copy = found ?? { id: newId(), to, beganAt: now() }
    // Before the source is closed for writers: a wrong target is found while nobody is disturbed.
    const progress = await takeAsTarget(target, { id: copy.id, by: newId() }, tables)
    if ('refusal' in progress) {
      // Another process was faster: it has begun, or noted the end in the source, and the target is whole a moment later.
      const isStale = found?.doneAt !== undefined || JSON.stringify(await findCopy(source.db)) !== JSON.stringify(found)
      if (isStale && attempt < MAX_TRIES) continue
      return progress
    }
    const claimed = found ? 'first' : await claimSource(copy, deps)
    if (claimed === 'first') return { copy, progress }
    if (claimed !== 'another_was_first') return claimed
    if (attempt === MAX_TRIES) return { refusal: 'taken_over' }
  }
}
