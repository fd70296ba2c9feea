import { z } from 'zod'
import { ATTEMPT_KINDS, ATTEMPT_OUTCOMES } from '../../notifications/index.ts'
import { EVIDENCE } from '../buyers/evidence.ts'
import { notificationExample, notificationSchema, time } from './notification-schemas.ts'

/** The possible buyers, where no account is linked. */
export const suggestedUsers = z
  .array(z.object({ id: z.uuid(), name: z.string(), email: z.string(), verified: z.boolean(), because: z.array(z.enum(EVIDENCE)) }))
  .describe(
    'who may be the buyer, by the tax id, address, phone or name that came with it, the likeliest first; none where the buyer is known, or for a viewer',
  )

export const notificationDetailsSchema = notificationSchema
  .extend({
    why: notificationSchema.shape.why.describe(
      'why it is unresolved, ignored, failed or refused; of a refused one the fields at fault; `awaits_purchase` of a processed refund or dispute that is kept until its purchase is known',
    ),
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
