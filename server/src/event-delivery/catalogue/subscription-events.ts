import { z } from 'zod'
import type { EventType } from '../../app-events/index.ts'
import { SUBSCRIPTION_STATES } from '../../subscriptions/index.ts'
import type { CataloguedEvent } from './catalogued-event.ts'

const data = z
  .object({
    sequence: z.int().describe('it rises with each event about this subscription, and counts for it alone; a lower one is old'),
    subscription_id: z.uuid(),
    product_id: z.uuid().nullable().describe("null: bought for no product; the operator's endpoints hear of it"),
    user_id: z.uuid().nullable().describe("the user's id at Portaria; null for a guest's purchase"),
    product_user_id: z.string().nullable().describe("the app's own id of the user, where it asks check-access with one"),
    status: z.enum([...SUBSCRIPTION_STATES, 'merged']).describe('`merged`: it was a part of another subscription all along'),
    plan_slug: z.string().nullable(),
    current_period_end: z.iso.datetime().nullable(),
  })
  .meta({ id: 'SubscriptionEventData' })

const example = {
  sequence: 1_795_435_200_000,
  subscription_id: '0199c2b4-6666-7c1e-9f52-1b6f0a4c8e21',
  product_id: '0199c2b4-2222-7c1e-9f52-1b6f0a4c8e21',
  user_id: null,
  product_user_id: null,
  status: 'active',
  plan_slug: 'pro',
  current_period_end: '2026-12-23T12:00:00.000Z',
}

export const subscriptionEvents = {
  'subscription.created': { when: "something was bought; a guest's purchase, too, which is no user's access yet", data, example },
  'subscription.updated': {
    when: 'another status, plan, end or user',
    data,
    example: { ...example, user_id: '0199c2b4-1111-7c1e-9f52-1b6f0a4c8e21' },
  },
  'subscription.ended': {
    when: 'it has expired, was refunded, or has become a part of another subscription',
    data,
    example: { ...example, status: 'refunded' },
  },
} as const satisfies Partial<Record<EventType, CataloguedEvent>>
