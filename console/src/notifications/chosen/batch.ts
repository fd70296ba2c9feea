import type { NotificationStatus } from '../notification.ts'

/** The outcome of one of the chosen notifications. */
export interface BatchResult {
  id: string
  outcome: 'processed' | 'asked' | 'ignored' | 'pending' | 'unchanged' | 'not_found' | 'not_allowed'
  /** Why it waits on. */
  why: string | null
  status: NotificationStatus | null
}

/** Those that can be chosen: they wait for somebody, or their gateway gave no answer. */
export function canChoose({ status, why }: { status: NotificationStatus; why: string | null }): boolean {
  return status === 'failed' || (status === 'unresolved' && why !== 'awaiting_gateway')
}

/** How many had each outcome, the ones that succeeded first; those that wait on, by reason. */
export function tally(results: readonly BatchResult[]): Array<{ outcome: BatchResult['outcome']; why: string | null; count: number }> {
  const order: ReadonlyArray<BatchResult['outcome']> = ['processed', 'asked', 'ignored', 'pending', 'unchanged', 'not_allowed', 'not_found']
  return order.flatMap((outcome) => {
    const those = results.filter((one) => one.outcome === outcome)
    const whys = [...new Set(those.map(({ why }) => why))]
    return whys.map((why) => ({ outcome, why, count: those.filter((one) => one.why === why).length }))
  })
}

/** Whether somebody has to look again. */
export function isWorthAnotherLook(results: readonly BatchResult[]): boolean {
  return results.some(({ outcome }) => outcome === 'pending' || outcome === 'not_allowed' || outcome === 'not_found')
}
