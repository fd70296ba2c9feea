import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { refuseTooMany } from '../api/rate-limits.ts'
import type { Refused } from '../api/refusals.ts'
import { createOwnCalls, testWebhook, type WebhookTestRefusal } from './test-webhook.ts'
import { webhookTestJson } from './webhook-test-json.ts'
import { testWebhookBody, webhookSetupSchema, webhookTestExample, webhookTestSchema } from './webhook-test-schemas.ts'

const refused = {
  event_of_other_variant: { refusal: 'malformed' },
  email_malformed: { refusal: 'malformed' },
  no_such_product: { refusal: 'no_such_product' },
} as const satisfies Record<WebhookTestRefusal['refusal'], Refused>

/**
 * `GET /api/admin/webhooks/test`: whether a test can work at all. `POST`: the service calls itself over HTTP, as the sender of purchases
 * does.
 */
export function webhookTestRoutes(operations: Operations, deps: AdminDeps): void {
  const guardedFetch = createOwnCalls()
  adminRoute(operations, {
    method: 'GET',
    path: '/webhooks/test',
    operationId: 'showWebhookSetup',
    summary: 'Say whether purchase notifications can be taken',
    description: 'Without PORTARIA_WEBHOOK_SECRET they are answered 500, and a test has nothing to sign with.',
    may: 'webhooks:test',
    answer: { description: 'What there is', schema: webhookSetupSchema, example: { secret_is_set: true } },
    work: async () => ({ body: { secret_is_set: deps.webhookSecrets.length > 0 } }),
  })
  adminRoute(operations, {
    method: 'POST',
    path: '/webhooks/test',
    operationId: 'testWebhook',
    summary: 'Send a test purchase notification to the service itself',
    description:
      'Signed with the configured secret and marked `is_test`: it goes over HTTP, is recorded, and grants nothing. The answer has each step as far as the test got. 10 a minute.',
    may: 'webhooks:test',
    body: testWebhookBody,
    answer: { description: 'What was found, also where something is wrong', schema: webhookTestSchema, example: webhookTestExample },
    refuses: ['no_such_product'],
    async work({ body, caller, actor, listeningUrl }) {
      const { webhookSecrets: secrets, baseUrl, storage, now } = deps
      const tooMany = await refuseTooMany('webhook-test', { caller }, deps)
      if (tooMany) return tooMany
      const tested = await testWebhook(body, { storage, secrets, url: listeningUrl() ?? baseUrl, guardedFetch, now, actor })
      return 'refusal' in tested ? refused[tested.refusal] : { body: webhookTestJson(tested) }
    },
  })
}
