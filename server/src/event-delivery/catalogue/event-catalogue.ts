import { z } from 'zod'
import { accessSchema } from '../../access/index.ts'
import type { EventType } from '../../app-events/index.ts'
import type { CataloguedEvent } from './catalogued-event.ts'
import { happenings } from './happenings.ts'
import { subscriptionEvents } from './subscription-events.ts'
import { userEvents } from './user-events.ts'

const accessData = z
  .object({
    sequence: z
      .int()
      .describe('it rises with each event `access.*` about a user of a product, and counts for these alone; a lower one is old'),
    product_id: z.uuid(),
    user_id: z.string().describe("the user's id at Portaria, or the app's own id where it asks check-access with one"),
    ...accessSchema.shape,
  })
  .meta({ id: 'AccessEventData' })

const access = {
  sequence: 1_795_435_200_000,
  product_id: '0199c2b4-2222-7c1e-9f52-1b6f0a4c8e21',
  user_id: '0199c2b4-1111-7c1e-9f52-1b6f0a4c8e21',
  active: true,
  status: 'active',
  reason: 'paid',
  plan_slug: 'pro',
  current_period_end: '2026-12-23T12:00:00.000Z',
  grace_until: null,
}

/**
 * Every event that an endpoint can choose. docs/openapi.json has its `webhooks` from here, docs/events.md its table, and each event that a
 * test delivers is held against its schema.
 */
export const EVENT_CATALOGUE: Readonly<Record<EventType, CataloguedEvent>> = {
  'access.granted': { when: 'somebody had no access and has it now', data: accessData, example: access },
  'access.changed': {
    when: 'another plan, end or reason; they have access as before, or have none as before',
    data: accessData,
    example: { ...access, plan_slug: 'basic' },
  },
  'access.revoked': {
    when: 'access has ended: by a refund, a dispute, a closed account, or because what was paid for is over',
    data: accessData,
    example: { ...access, active: false, status: 'refunded', reason: 'refunded' },
  },
  ...userEvents,
  ...subscriptionEvents,
  ...happenings,
}

/** The whole body of an event, as it is delivered. */
export function eventBodySchema(type: EventType): z.ZodObject {
  const { data } = EVENT_CATALOGUE[type]
  return z.object({ type: z.literal(type), timestamp: z.iso.datetime().describe('the time of the change'), data })
}
