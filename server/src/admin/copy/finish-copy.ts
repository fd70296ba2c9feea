import { recordAudit } from '../../audit/index.ts'
import {
  type Comparison,
  type Copy,
  describeAddress,
  findCopy,
  forgetProgress,
  listUnfenced,
  noteCopyDone,
  type Storage,
  throughFence,
} from '../../storage/index.ts'
import type { CopyDeps, CopyRefusal, Progress } from './begin-copy.ts'

/** Notes the end in the source first. If the target came first, a run killed in between could not tell that the target is its own. */
export async function finishCopy(
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

/** The tables whose fence this transaction opens, and closes again. */
const NOTED_IN = ['settings']

/**
 * Notes the end, unless the copy is being given up. Once its first table is open again, the source may have rows that were not compared.
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
