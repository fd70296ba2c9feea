import { z } from 'zod'
import { PURCHASE_EVENTS } from '../../purchases/index.ts'
import { VARIANTS } from './test-purchase.ts'
import { TEST_FAULTS } from './test-webhook.ts'

/** The body of `POST /api/admin/webhooks/test`. */
export const testWebhookBody = z.strictObject({
  variant: z.enum(VARIANTS).optional().describe('the form of the notification; A where neither this nor event is given'),
  event: z.enum(PURCHASE_EVENTS).optional().describe('in place of variant; all but purchase.completed are of variant B'),
  product: z.string().max(64).optional().describe('slug of the product that it pretends was bought'),
  email: z.string().max(254).optional().describe("the buyer's address; without one, an address that nobody has"),
})

export const webhookSetupSchema = z
  .object({ secret_is_set: z.boolean().describe('whether the service was started with PORTARIA_WEBHOOK_SECRET') })
  .meta({ id: 'WebhookSetup' })

const step = z.object({
  step: z.enum(['secret', 'reachable', 'answer', 'stored', 'access']),
  ok: z.boolean(),
  detail: z.string().describe('in English, for whoever runs the service'),
  code: z.enum(TEST_FAULTS).nullable().describe('what is wrong'),
  notification_id: z.string().nullable().describe('of stored'),
})

export const webhookTestSchema = z.object({ ok: z.boolean(), steps: z.array(step) }).meta({ id: 'WebhookTest' })

const well = { ok: true, code: null, notification_id: null }
const id = '0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21'

export const webhookTestExample = {
  ok: true,
  steps: [
    { ...well, step: 'secret', detail: 'configured' },
    { ...well, step: 'reachable', detail: 'http://127.0.0.1:3000' },
    { ...well, step: 'answer', detail: '200 {"received":true}' },
    { ...well, step: 'stored', detail: `as ${id} with status test`, notification_id: id },
    { ...well, step: 'access', detail: 'unchanged for webhook-test@example.com' },
  ],
}
