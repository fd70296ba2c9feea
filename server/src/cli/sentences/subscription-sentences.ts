import type { SubscriptionRefusal } from '../../subscriptions/index.ts'
import { userSentence } from './user-sentences.ts'

const subscriptions = {
  not_found: 'there is no such subscription: find its id with `portaria subscription list`',
  already_so: 'nothing to do, it is so already: see `portaria subscription show ID`',
  superseded: 'a later payment has opened a new subscription of this line, and only that one can be moved: `portaria subscription list`',
  no_such_user: userSentence({ refusal: 'not_found' }),
} as const satisfies Record<SubscriptionRefusal['refusal'], string>

export function subscriptionSentence({ refusal }: SubscriptionRefusal): string {
  return subscriptions[refusal]
}
