import { type Actor, recordAudit } from '../../audit/index.ts'
import type { ChangeFeed } from '../../changes/index.ts'
import { type Now, newId } from '../../kit/index.ts'
import {
  type Comparison,
  type Copy,
  compareTables,
  copyTables,
  describeAddress,
  findCopy,
  findProgress,
  forgetProgress,
  isSame,
  listUnfenced,
  migrate,
  type NeedsNewer,
  noteCopyDone,
  type RowsRefusal,
  raiseFence,
  type Step,
  type Storage,
  schemaState,
  shapesOf,
  type TargetRefusal,
  takeAsTarget,
  throughFence,
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
  | { refusal: 'given_up' }
  | { refusal: 'different'; tables: string[] }

export interface Copied {
  id: string
  tables: Comparison[]
  /** Tables of other programs. */
  leftOut: string[]
}

/**
 * Copies everything into an empty database of the other kind, and compares it there. From its beginning on nothing is written to the
 * source, and not after its end either: whatever a node still wrote there would be lost. Killed anywhere, it goes on when it is run again.
 */
export async function copyDatabase(deps: CopyDeps): Promise<Copied | CopyRefusal> {
  const { storage: source, target, onFenced, step } = deps
  const { newer } = await schemaState(source)
  if (newer[0]) return { refusal: 'newer_tables', version: newer[0].version }
  const migrated = await migrate(target)
  if ('refusal' in migrated) return migrated
  const sides = { source, target }
  const { tables, leftOut } = await shapesOf(sides)
  const begun = await begin(deps, tables)
  if ('refusal' in begun) return begun
  const { copy, progress } = begun
  await raiseFence(source)
  await onFenced(tables.map(({ name }) => name))
  const end = await copyTables(sides, tables, { progress, step })
  if ('refusal' in end) return end
  const compared = await compareTables(sides, tables, step)
  const different = compared.filter((one) => !isSame(one)).map(({ table }) => table)
  if (different.length > 0) return { refusal: 'different', tables: different }
  const finished = await finish(deps, copy, { progress: end, compared })
  return finished ?? { id: copy.id, tables: compared, leftOut }
}

type Tables = Awaited<ReturnType<typeof shapesOf>>['tables']
type Progress = Exclude<Awaited<ReturnType<typeof takeAsTarget>>, { refusal: string }>

/** Several processes may begin at once: the first one's copy is that of all. */
const MAX_TRIES = 5

async function begin(deps: CopyDeps, tables: Tables): Promise<{ copy: Copy; progress: Progress } | CopyRefusal> {
  const { storage: source, target, now } = deps
  const to = describeAddress(target.address)
  for (let attempt = 1; ; attempt++) {
    const found = await findCopy(source.db)
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

/** The source first: were the target whole first, a run killed in between could not tell that the target is its own. */
async function finish(
  { storage: source, target, now, actor }: CopyDeps,
  copy: Copy,
  { progress, compared }: { progress: Progress; compared: Comparison[] },
): Promise<CopyRefusal | undefined> {
  const refused = await noteDone(source, copy, copy.doneAt ?? now())
  if (refused) return refused
  const rows = compared.reduce((sum, one) => sum + one.source.rows, 0)
  return target.transaction(async (tx) => {
    if (!(await forgetProgress(tx, progress))) return { refusal: 'taken_over' }
    const after = { state: 'done', from: describeAddress(source.address), tables: compared.length, rows }
    await recordAudit(tx, { actor, action: 'database.copy', target: copy.id, after }, now())
    return undefined
  })
}

class NotDone extends Error {
  readonly refusal: 'taken_over' | 'given_up'
  constructor(refusal: NotDone['refusal']) {
    super(refusal)
    this.refusal = refusal
  }
}

/** What this transaction opens of the fence, and closes again. */
const NOTED_IN = ['settings']

/**
 * Notes the end, unless the copy is being given up: from the moment at which the first table is open again, the source may have rows that
 * nobody has compared.
 */
async function noteDone(source: Storage, copy: Copy, at: number): Promise<{ refusal: NotDone['refusal'] } | undefined> {
  try {
    await throughFence(source, NOTED_IN, async (tx) => {
      const open = (await listUnfenced({ db: tx, address: source.address })).filter((name) => !NOTED_IN.includes(name))
      if (open.length > 0) throw new NotDone('given_up') // and there is no fence to put back
      if (!(await noteCopyDone(tx, copy, at))) throw new NotDone((await findCopy(tx))?.id === copy.id ? 'taken_over' : 'given_up')
    })
    return undefined
  } catch (error) {
    if (error instanceof NotDone) return { refusal: error.refusal }
    throw error
  }
}
