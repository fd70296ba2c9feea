import type { AppContext } from '../context.ts'
import { countStreams, isMuchUncounted } from '../reports/index.ts'
import { takeTurn } from '../storage/index.ts'
import { type Beside, besideOrHere } from './beside.ts'

/** Counting ends after this, and then the next node may begin. */
const LONGEST_MS = 50_000
const TURN_MS = 55_000

/** Counts what the reports do not have yet: what takes long by one node at a time, and, with `beside`, there. */
export async function countIfDue(context: AppContext, beside?: Beside): Promise<void> {
  const { db } = context.storage
  const here = () => countStreams(context, { forMs: LONGEST_MS })
  if (!(await isMuchUncounted(db))) await here()
  else if (await takeTurn(db, 'counted_at', { at: context.now(), everyMs: TURN_MS }))
    await (beside ? besideOrHere(() => beside('count', LONGEST_MS), here, context.onFault) : here())
}
