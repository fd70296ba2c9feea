import { z } from 'zod'
import { parseMonth } from '../../reports/index.ts'
import { ALERT_KINDS, SEVERITIES } from './alerts/alert.ts'
import { MAX_DAYS } from './days.ts'

const LEAST_DAYS = 7
const USUAL = '30'
/** The month of this moment, which is the operator's and not the caller's to know. */
export const NOW = 'now'

const count = z.int()
const counts = {
  sign_ins: count,
  sign_ins_by_method: z
    .record(z.string(), count)
    .describe('`password`, `passkey` or `provider`; those from before methods were kept are in none'),
  new_users: count,
  purchases: count.describe('new subscriptions'),
  failures: count.describe('the sum of the three below'),
  failed_sign_ins: count.describe('a minute behind'),
  failed_sign_ins_by_kind: z.record(z.string(), count).describe('what was wrong'),
  failed_notifications: count.describe('that waited for the operator, or were given up, when the day was over'),
  dead_jobs: count,
}
const day = z.iso.date()
const daySchema = z.object({ day: day.describe('in the operator’s time zone'), ...counts })
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
export const overviewSchema = z
  .object({
    time_zone: z.string().describe('whose days they are'),
    today: day,
    days: z.array(daySchema),
    month: z
      .object({
        month: z.string(),
        since: z.iso.datetime().describe('its first moment'),
        until: z.iso.datetime().describe('the last moment of its last day, or of today'),
        before: z.object({ from: day, to: day, counts: z.object(counts) }).describe('the days of the month before that it stands beside'),
      })
      .nullable()
      .describe('where a month was asked for'),
    alerts: z.array(alertSchema),
    products: count.describe('none: a new installation'),
  })
  .meta({ id: 'Overview' })
export const overviewExample = {
  time_zone: 'America/Sao_Paulo',
  today: '2026-11-20',
  days: [
    {
      day: '2026-11-20',
      sign_ins: 118,
      sign_ins_by_method: { passkey: 12, password: 61, provider: 45 },
      new_users: 9,
      purchases: 4,
      failures: 3,
      failed_sign_ins: 2,
      failed_sign_ins_by_kind: { wrong_credentials: 2 },
      failed_notifications: 1,
      dead_jobs: 0,
    },
  ],
  month: null,
  alerts: [
    {
      kind: 'unresolved_notifications',
      severity: 'warning',
      count: 1,
      product: null,
      gateway: null,
      since: null,
      until: null,
      path: '/notifications?filter=%7B%22status%22%3A%22unresolved%22%2C%22stuck%22%3A%22true%22%7D',
    },
  ],
  products: 2,
}
export const overviewQuery = z.strictObject({
  days: z
    .string()
    .regex(/^\d{1,2}$/)
    .default(USUAL)
    .transform(Number)
    .refine((days) => days >= LEAST_DAYS && days <= MAX_DAYS)
    .describe(`${LEAST_DAYS} to ${MAX_DAYS}; ${USUAL} where none is given`),
  month: z
    .string()
    .refine((text) => text === NOW || parseMonth(text) !== undefined)
    .optional()
    .describe('as `2026-10`, or `now`: its days up to today, in place of the last `days`'),
})
