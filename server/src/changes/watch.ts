import type { Metrics } from '../http/index.ts'
import type { Clock } from '../kit/index.ts'
import type { ChangeFeed } from './feed.ts'

/** Metrics: how fresh this node's knowledge is, and how far its clock is off. */
export function watchFeed(
  metrics: Pick<Metrics, 'gauge'>,
  { changes, clock }: { changes: Pick<ChangeFeed, 'lastLookAt'>; clock: Clock },
): void {
  metrics.gauge(
    'portaria_feed_age_seconds',
    'Time since the change feed was last read to its end',
    'largest',
    () => (clock.now() - changes.lastLookAt()) / 1000,
  )
  metrics.gauge(
    'portaria_clock_ahead_seconds',
    "How far this machine's clock is ahead of the database's, which is corrected",
    'largest',
    () => clock.aheadMs() / 1000,
  )
}
