import { z } from 'zod'
import { ATTEMPT_KINDS, ATTEMPT_OUTCOMES, NOTIFICATION_STATUSES } from '../../notifications/index.ts'
import { listQuery, moment } from '../api/list.ts'
import { EVIDENCE } from '../buyers/evidence.ts'
import { reason } from '../users/user-schemas.ts'
import { BATCH_OUTCOMES, MAX_BATCH } from './batch.ts'
import { MAX_COUNTED } from './notification-list-store.ts'

const time = z.iso.datetime().nullable()
const status = z.enum(NOTIFICATION_STATUSES)

const filters = {
  source: z.string().max(40).optional().describe("`purchase`, or a gateway's name"),
  product_id: z.uuid().optional(),
  email: z.string().max(254).optional().describe("the buyer's"),
  since: moment.optional(),
  until: moment.optional(),
}

export const notificationListQuery = listQuery({ sorts: ['received_at'], usual: '-received_at' }, { status: status.optional(), ...filters })

export const countsQuery = z.strictObject(filters)
const counted = z.int().describe(`${MAX_COUNTED + 1}: there are more than ${MAX_COUNTED}`)
export const countsSchema = z.object({ all: counted, unresolved: counted, failed: counted }).meta({ id: 'NotificationCounts' })
export const countsExample = { all: 321, unresolved: 4, failed: 9 }

export const notificationSchema = z
  .object({
    id: z.uuid(),
    source: z.string(),
    event: z.string().describe("the sender's word for what happened"),
    status,
    subject: z.string().nullable().describe("the buyer's address"),
    received_at: time,
    why: z.string().nullable().describe('why it is unresolved, ignored, failed or refused; of a refused one the fields at fault'),
    product_id: z.string().nullable(),
    subscription_id: z.string().nullable(),
    processed_at: time,
    paid_amount: z.int().nullable().describe('centavos that were paid, where that is not the price of the plan; else null'),
    plan_price: z.int().nullable().describe('centavos: the price of the plan at that moment, where something else was paid; else null'),
  })
  .meta({ id: 'Notification' })

/** The possible buyers, where no account is linked. */
export const suggestedUsers = z
  .array(z.object({ id: z.uuid(), name: z.string(), email: z.string(), verified: z.boolean(), because: z.array(z.enum(EVIDENCE)) }))
  .describe(
    'who may be the buyer, by the tax id, address, phone or name that came with it, the likeliest first; none where the buyer is known, or for a viewer',
  )

export const notificationDetailsSchema = notificationSchema
  .extend({
    payload: z.unknown().describe('exactly what was verified; without personal data for a viewer'),
    masked: z.boolean(),
    checks: z
      .array(
        z.object({
          check: z.enum(['verified', 'stored', 'processed']),
          ok: z.boolean(),
          state: z.enum(['passed', 'pending', 'failed']),
          detail: z.string().nullable(),
        }),
      )
      .describe('what was looked at, in order'),
    attempts: z
      .array(
        z.object({
          kind: z
            .enum(ATTEMPT_KINDS)
            .describe(
              '`receipt`: it arrived; `fetch`: its gateway was asked; `retry`, `resolution`: an administrator did something; `other`: another notification, or a reconciliation, brought what was missing',
            ),
          at: time,
          ms: z.int().nullable().describe('how long it took; null where that was not measured'),
          outcome: z
            .enum(ATTEMPT_OUTCOMES)
            .nullable()
            .describe(
              'the status that it left; `asked`: its gateway is to be asked; `fault`: it is asked again later; null: nobody has kept it',
            ),
          why: z.string().nullable(),
          actor: z.string().nullable().describe('who wanted it'),
        }),
      )
      .describe('what was tried with it, the oldest first; the 50 latest'),
    changed: z
      .array(z.object({ subscription_id: z.string(), kind: z.string(), at: time, payment_id: z.string().nullable() }))
      .describe('what it brought to subscriptions'),
    suggested_users: suggestedUsers,
  })
  .meta({ id: 'NotificationDetails' })

export const notificationExample = {
  id: '0199c2b4-d333-7e40-8f50-6a7b8c9d0e1f',
  source: 'stripe',
  event: 'invoice.paid',
  status: 'processed',
  subject: 'ana@example.com',
  received_at: '2026-11-20T12:00:00.000Z',
  why: null,
  product_id: '0199c2b4-e444-7f50-9060-7b8c9d0e1f20',
  subscription_id: '0199c2b4-c222-7d30-8e40-5f6a7b8c9d0e',
  processed_at: null,
  paid_amount: null,
  plan_price: null,
}

export const notificationDetailsExample = {
  ...notificationExample,
  payload: { id: 'evt_1', type: 'invoice.paid' },
  masked: false,
  checks: [
    { check: 'verified', ok: true, state: 'passed', detail: null },
    { check: 'stored', ok: true, state: 'passed', detail: null },
    { check: 'processed', ok: true, state: 'passed', detail: null },
  ],
  attempts: [{ kind: 'receipt', at: '2026-11-20T12:00:00.000Z', ms: 3, outcome: 'processed', why: null, actor: null }],
  changed: [{ subscription_id: '0199c2b4-c222-7d30-8e40-5f6a7b8c9d0e', kind: 'paid', at: '2026-11-20T12:00:00.000Z', payment_id: 'pi_1' }],
  suggested_users: [],
}

/** The operator's answers for a pending one, or that nothing is to be done. */
export const resolveBody = z
  .strictObject({
    plan: z.string().max(64).optional().describe('slug of the plan that was bought'),
    product: z.string().max(64).optional().describe('slug of the product that it was bought for'),
    email: z.string().max(254).optional().describe("the buyer's address"),
    reason: reason.optional(),
  })
  .refine(({ plan, product, email }) => plan !== undefined || product !== undefined || email !== undefined)

export const batchBody = z.strictObject({
  action: z.enum(['reprocess', 'ignore']),
  ids: z.array(z.uuid()).min(1).max(MAX_BATCH),
  reason: reason.optional().describe('needed to ignore'),
})

export const batchSchema = z
  .object({
    results: z
      .array(
        z.object({
          id: z.uuid(),
          outcome: z
            .enum(BATCH_OUTCOMES)
            .describe(
              '`asked`: its gateway is being asked; `pending`: it waits on, and `why`; `unchanged`: there was nothing to do about it',
            ),
          why: z.string().nullable(),
          status: status.nullable().describe('its status now'),
        }),
      )
      .describe('of each, in the order of the request'),
  })
  .meta({ id: 'NotificationBatch' })

export const batchExample = {
  results: [{ id: notificationExample.id, outcome: 'processed', why: null, status: 'processed' }],
}
