import type { AppContext } from '../context.ts'
import { countStreams, isMuchUncounted } from '../reports/index.ts'
import { takeTurn } from '../storage/index.ts'
import { type Beside, besideOrHere } from './beside.ts'

/** Counting beside the service ends after this, and then the next node may begin. */
const LONGEST_MS = 50_000
const TURN_MS = 55_000

/** Counts what the reports do not have yet. With `beside`, what takes long is counted there, by one node at a time. */
export async function countIfDue(context: AppContext, beside?: Beside): Promise<void> {
  const { db } = context.storage
  const here = () => countStreams(context)
  if (!beside || !(await isMuchUncounted(db))) await here()
  else if (await takeTurn(db, 'counted_beside_at', { at: context.now(), everyMs: TURN_MS }))
    await besideOrHere(() => beside('count', LONGEST_MS), here, context.onFault)
}
