import type { FastifyInstance } from 'fastify'
import { adminRoute, nothing } from '../api/admin-routes.ts'
import type { AdminDeps } from '../api/deps.ts'
import type { Refused } from '../api/refusals.ts'
import { refuseTooMany } from '../api/sparingly.ts'
import { createOwnCalls, testWebhook, type WebhookTestRefusal } from './test-webhook.ts'
import { webhookTestJson } from './webhook-test-json.ts'
import { testWebhookBody, webhookTestExample, webhookTestSchema } from './webhook-test-schemas.ts'

const refused = {
  event_of_other_variant: { refusal: 'malformed' },
  email_malformed: { refusal: 'malformed' },
  no_such_product: { refusal: 'no_such_product' },
} as const satisfies Record<WebhookTestRefusal['refusal'], Refused>

/** `POST /api/admin/webhooks/test`: the service calls itself over HTTP, as the sender of purchases does. */
export function webhookTestRoutes(scope: FastifyInstance, deps: AdminDeps): void {
  const outgoing = createOwnCalls()
  adminRoute(scope, deps, {
    method: 'POST',
    path: '/webhooks/test',
    operationId: 'testWebhook',
    summary: 'Send a test purchase notification to the service itself',
    description:
      'Signed with the configured secret and marked `is_test`: it goes over HTTP, is recorded, and grants nothing. The answer has each step as far as the test got. 10 a minute.',
    may: 'webhooks:test',
    query: nothing,
    body: testWebhookBody,
    answer: { description: 'What was found, also where something is wrong', schema: webhookTestSchema, example: webhookTestExample },
    refuses: ['no_such_product'],
    async work({ body, caller, actor, listeningUrl }) {
      const { webhookSecrets: secrets, baseUrl, storage, now } = deps
      const tooMany = await refuseTooMany('webhook-test', { caller }, deps)
      if (tooMany) return tooMany
      const tested = await testWebhook(body, { storage, secrets, url: listeningUrl() ?? baseUrl, outgoing, now, actor })
      return 'refusal' in tested ? refused[tested.refusal] : { body: webhookTestJson(tested) }
    },
  })
}
