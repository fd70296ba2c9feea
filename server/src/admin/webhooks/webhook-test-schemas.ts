import { z } from 'zod'
import { EVENTS, VARIANTS } from './test-purchase.ts'

/** The body of `POST /api/admin/webhooks/test`. */
export const testWebhookBody = z.strictObject({
  variant: z.enum(VARIANTS).optional().describe('the form of the notification; A where neither this nor event is given'),
  event: z.enum(EVENTS).optional().describe('in place of variant'),
  product: z.string().max(64).optional().describe('slug of the product that it pretends was bought'),
  email: z.string().max(254).optional().describe("the buyer's address; without one, an address that nobody has"),
})

const step = z.object({ step: z.enum(['secret', 'reachable', 'answer', 'stored', 'access']), ok: z.boolean(), detail: z.string() })

export const webhookTestSchema = z.object({ ok: z.boolean(), steps: z.array(step) }).meta({ id: 'WebhookTest' })

export const webhookTestExample = {
  ok: true,
  steps: [
    { step: 'secret', ok: true, detail: 'configured' },
    { step: 'reachable', ok: true, detail: 'http://127.0.0.1:3000' },
    { step: 'answer', ok: true, detail: '200 {"received":true}' },
    { step: 'stored', ok: true, detail: 'as 0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21 with status test' },
    { step: 'access', ok: true, detail: 'unchanged for webhook-test@example.com' },
  ],
}
