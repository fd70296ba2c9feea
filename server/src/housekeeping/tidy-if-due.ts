import type { AppContext } from '../context.ts'
import { MINUTE_MS } from '../kit/index.ts'
import { compareClocks, takeTurn } from '../storage/index.ts'
import type { Beside } from './beside.ts'
import { isMuchDue } from './due-store.ts'
import { tidy } from './tidy.ts'

const HOUSEKEEPING_MS = 10 * MINUTE_MS
/** It ends before the next turn begins. */
const LONGEST_MS = 9 * MINUTE_MS

/** Every ten minutes the first node that asks does it; the database remembers when. With `beside`, what takes long is done there. */
export async function tidyIfDue(context: AppContext, beside?: Beside): Promise<void> {
  const { db } = context.storage
  const at = await compareClocks(context.clock, context.storage)
  if (!(await takeTurn(db, 'tidied_at', { at, everyMs: HOUSEKEEPING_MS }))) return
  if (beside && (await isMuchDue(db, at))) await beside('tidy', LONGEST_MS)
  else await tidy(context, at)
}
