import type { AppContext } from '../context.ts'
import { MINUTE_MS } from '../kit/index.ts'
import { compareClocks, manageFills, takeTurn } from '../storage/index.ts'
import { type Beside, besideOrHere } from './beside.ts'
import { isMuchDue } from './due-store.ts'
import { tidy } from './tidy.ts'

const HOUSEKEEPING_MS = 10 * MINUTE_MS
/** It ends before the next turn begins. */
const LONGEST_MS = 9 * MINUTE_MS

/** Every ten minutes the first node that asks does it; the database remembers when. With `beside`, what takes long is done there. */
export async function tidyIfDue(context: AppContext, beside?: Beside): Promise<void> {
  const { storage, onFault } = context
  const at = await compareClocks(context.clock, storage)
  if (!(await takeTurn(storage.db, 'tidied_at', { at, everyMs: HOUSEKEEPING_MS }))) return
  const here = () => tidy(context, at)
  await (beside && (await isMuchDue(storage.db, at)) ? besideOrHere(() => beside('tidy', LONGEST_MS), here, onFault) : here())
  // Never beside: a fill that is cut off there begins anew at each turn.
  await manageFills(storage, at)
}
