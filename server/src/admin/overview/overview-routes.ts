import { isoTime } from '../../kit/index.ts'
import { productStore } from '../../products/index.ts'
import { dayIn, readZone } from '../../reports/index.ts'
import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import type { Alert } from './alerts/alert.ts'
import { listAlerts } from './alerts/list-alerts.ts'
import { type Day, type MonthOfDays, readDays, readMonthOfDays, sumOfDays } from './days.ts'
import { NOW, overviewExample, overviewQuery, overviewSchema } from './overview-schemas.ts'

/** The overview: counts of days, and alerts. */
export function overviewRoutes(operations: Operations, deps: AdminDeps): void {
  const { storage, invite, now } = deps
  adminRoute(operations, {
    method: 'GET',
    path: '/overview',
    operationId: 'showOverview',
    summary: 'Show what happened each day, and what needs attention',
    description:
      'Days are those of the operator’s time zone, the oldest first, today included. What the caller may not read is left out of `attention`.',
    may: 'overview:read',
    query: overviewQuery,
    answer: { description: 'The overview', schema: overviewSchema, example: overviewExample },
    async work({ query, caller }) {
      const at = now()
      const zone = await readZone(storage.db)
      const today = dayIn(zone)(at)
      const name = query.month === NOW ? today.slice(0, 7) : query.month
      const month = name === undefined ? undefined : { name, ...(await readMonthOfDays(storage.db, name, at)) }
      const days = month ? month.days : await readDays(storage.db, query.days, at)
      const alerts = await listAlerts(caller, { storage, sendsMail: invite !== undefined, now: at })
      const products = await productStore(storage.db).listNames()
      return {
        body: {
          time_zone: zone,
          today,
          days: days.map((day) => ({ ...day, failures: failuresOf(day) })),
          month: month ? monthJson(month) : null,
          alerts: alerts.map(alertJson),
          products: products.length,
        },
      }
    },
  })
}

function monthJson({ name, since, until, before: { from, to, days } }: MonthOfDays & { name: string }) {
  const sums = sumOfDays(days)
  return {
    month: name,
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    before: { from, to, counts: { ...sums, failures: failuresOf(sums) } },
  }
}

function failuresOf(of: Pick<Day, 'failed_sign_ins' | 'failed_notifications' | 'dead_jobs'>): number {
  return of.failed_sign_ins + of.failed_notifications + of.dead_jobs
}

function alertJson({ kind, severity, count, product, gateway, since, until, path }: Alert) {
  return {
    kind,
    severity,
    count,
    product: product ?? null,
    gateway: gateway ?? null,
    since: isoTime(since),
    until: isoTime(until),
    path: path ?? null,
  }
}
