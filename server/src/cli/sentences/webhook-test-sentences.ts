import type { WebhookTestRefusal } from '../../admin/index.ts'
import { planSentence } from './plan-sentences.ts'
import { userSentence } from './user-sentences.ts'

const webhookTests = {
  event_of_other_variant: 'this event belongs to the other variant: purchase.completed is A, all others are B; give one of the two options',
  no_such_product: planSentence({ refusal: 'no_such_product' }),
  email_malformed: userSentence({ refusal: 'email_malformed' }),
} as const satisfies Record<WebhookTestRefusal['refusal'], string>

export function webhookTestSentence({ refusal }: WebhookTestRefusal): string {
  return webhookTests[refusal]
}
