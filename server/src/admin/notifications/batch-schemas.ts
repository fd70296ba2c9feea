import { z } from 'zod'
import { reason } from '../api/request/reason.ts'
import { BATCH_OUTCOMES, MAX_BATCH } from './batch.ts'
import { notificationExample, status } from './notification-schemas.ts'

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
