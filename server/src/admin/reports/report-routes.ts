import { countForReader, monthAt, parseZone, readMonth, readZone, setZone } from '../../reports/index.ts'
import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { readActivity } from '../overview/days.ts'
import { readNames } from '../subscriptions/subscription-json.ts'
import { reportJson } from './report-json.ts'
import { monthExample, monthQuery, monthSchema, zoneBody, zoneSchema } from './report-schemas.ts'

/** The figures of a month: subscriptions, money and what happened (docs/reports.md). */
export function reportRoutes(operations: Operations, deps: AdminDeps): void {
  const { storage, now } = deps
  adminRoute(operations, {
    method: 'GET',
    path: '/reports/monthly',
    operationId: 'showMonthReport',
    summary: 'Show the figures of a month, in all, by plan and by day',
    description: 'Days are those of the operator’s time zone. `docs/reports.md` says what each figure means.',
    may: 'overview:read',
    query: monthQuery,
    answer: { description: 'The figures', schema: monthSchema, example: monthExample },
    async work({ query }) {
      await countForReader(deps)
      const at = now()
      const month = query.month ?? (await monthAt(storage.db, at))
      const report = await readMonth(storage.db, month, at)
      return { body: reportJson(report, await readActivity(storage.db, month, at), await readNames(deps)) }
    },
  })
  adminRoute(operations, {
    method: 'PUT',
    path: '/reports/time-zone',
    operationId: 'setTimeZone',
    summary: 'Set the time zone of the operator’s days',
    description:
      'All figures are counted anew in it; `is_counting` says until when. An unknown zone has the word `unknown_time_zone` in `fields`.',
    may: 'reports:write',
    body: zoneBody,
    answer: { description: 'The zone', schema: zoneSchema, example: { time_zone: 'America/Manaus' } },
    async work({ body, actor }) {
      const zone = parseZone(body.time_zone)
      if (zone === undefined) return { refusal: 'malformed', fields: { time_zone: 'unknown_time_zone' } }
      await setZone(zone, { storage, now, actor })
      return { body: { time_zone: await readZone(storage.db) } }
    },
  })
}
