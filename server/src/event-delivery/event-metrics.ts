import { endpointState, endpointStore } from '../app-events/index.ts'
import type { Metrics } from '../http/index.ts'
import type { Now } from '../kit/index.ts'
import type { Storage } from '../storage/index.ts'
import { longestDue } from './deliveries/due-store.ts'

/** Metrics: endpoints by state, and how late the latest delivery is. */
export function eventMetrics(metrics: Pick<Metrics, 'gauge' | 'gauges'>, { storage, now }: { storage: Storage; now: Now }): void {
  metrics.gauges('portaria_event_endpoints', 'Endpoints that events are delivered to, by state', ['state'], async () => {
    const states = Map.groupBy(await endpointStore(storage.db).list(), endpointState)
    return [...states].map(([state, endpoints]) => ({ labels: { state }, value: endpoints.length }))
  })
  metrics.gauge(
    'portaria_event_deliveries_late_seconds',
    'How long the longest due delivery to an enabled endpoint has waited',
    'largest',
    async () => {
      const dueAt = await longestDue(storage.db)
      return dueAt === undefined ? 0 : Math.max(0, now() - dueAt) / 1000
    },
  )
}
