import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { isoTime } from '../../kit/index.ts'
import { productStore } from '../../products/index.ts'
import { adminRoute, nothing } from '../api/admin-routes.ts'
import type { AdminDeps } from '../api/deps.ts'
import { ALERT_KINDS, type Alert, listAlerts, SEVERITIES } from './alerts.ts'
import { type Day, MAX_DAYS, readDays } from './days.ts'

const LEAST_DAYS = 7
const USUAL = '30'

const count = z.int()
const daySchema = z.object({
  day: z.iso.date().describe('in UTC'),
  sign_ins: count,
  new_users: count,
  purchases: count.describe('new subscriptions'),
  failures: count.describe('the sum of the three below'),
  failed_sign_ins: count.describe('a minute behind'),
  failed_notifications: count.describe('that waited for the operator, or were given up, when the day was over'),
  dead_jobs: count,
})
const time = z.iso.datetime().nullable()
const alertSchema = z.object({
  kind: z.enum(ALERT_KINDS),
  severity: z.enum(SEVERITIES),
  count,
  product: z.string().nullable().describe('slug'),
  gateway: z.string().nullable(),
  since: time,
  until: time,
  path: z.string().nullable().describe('where the console fixes it'),
})
const overviewSchema = z
  .object({ days: z.array(daySchema), alerts: z.array(alertSchema), products: count.describe('none: a new installation') })
  .meta({ id: 'Overview' })
const example = {
  days: [
    {
      day: '2026-11-20',
      sign_ins: 118,
      new_users: 9,
      purchases: 4,
      failures: 3,
      failed_sign_ins: 2,
      failed_notifications: 1,
      dead_jobs: 0,
    },
  ],
  alerts: [
    {
      kind: 'unresolved_notifications',
      severity: 'warning',
      count: 1,
      product: null,
      gateway: null,
      since: null,
      until: null,
      path: '/notifications?filter=%7B%22status%22%3A%22unresolved%22%7D',
    },
  ],
  products: 2,
}
const overviewQuery = z.strictObject({
  days: z
    .string()
    .regex(/^\d{1,2}$/)
    .default(USUAL)
    .transform(Number)
    .refine((days) => days >= LEAST_DAYS && days <= MAX_DAYS)
    .describe(`${LEAST_DAYS} to ${MAX_DAYS}; ${USUAL} where none is given`),
})

/** The overview: counts of days, and alerts. */
export function overviewRoutes(scope: FastifyInstance, deps: AdminDeps): void {
  const { storage, invite, now } = deps
  adminRoute(scope, deps, {
    method: 'GET',
    path: '/overview',
    operationId: 'showOverview',
    summary: 'Show what happened each day, and what needs attention',
    description: 'Days are those of UTC, the oldest first, today included. What the caller may not read is left out of `attention`.',
    may: 'overview:read',
    query: overviewQuery,
    body: nothing,
    answer: { description: 'The overview', schema: overviewSchema, example },
    async work({ query, caller }) {
      const at = now()
      const days = await readDays(storage.db, query.days, at)
      const alerts = await listAlerts(caller, { storage, sendsMail: invite !== undefined, now: at })
      const products = await productStore(storage.db).listNames()
      return { body: { days: days.map(dayJson), alerts: alerts.map(alertJson), products: products.length } }
    },
  })
}

function dayJson(day: Day) {
  return { ...day, failures: day.failed_sign_ins + day.failed_notifications + day.dead_jobs }
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
