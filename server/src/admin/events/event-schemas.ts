import { z } from 'zod'
import { DELIVERY_STATES, EVENT_CATALOGUE } from '../../event-delivery/index.ts'

const time = z.iso.datetime()

export const attemptSchema = z.object({
  at: time,
  ms: z.int(),
  status: z.int().nullable().describe("the endpoint's answer; null: there was none"),
  fault: z.string().nullable(),
  answer: z.string().nullable().describe('its first 2 KB'),
})

export const eventSchema = z
  .object({
    id: z.uuid().describe('the header `webhook-id`'),
    type: z.string(),
    product: z.string().nullable(),
    subject: z.string().describe('the user that it is about'),
    occurred_at: time,
    data: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'AppEvent' })

const deliveryState = z.enum(DELIVERY_STATES).describe('`failed`: given up')

export const deliverySchema = eventSchema
  .omit({ data: true })
  .extend({
    endpoint: z.uuid(),
    state: deliveryState,
    attempts: z.int(),
    next_at: time.nullable(),
    last_attempt: attemptSchema.nullable(),
  })
  .meta({ id: 'EventDelivery' })

export const eventDetailsSchema = eventSchema.extend({
  deliveries: z.array(
    z.object({
      endpoint: z.uuid(),
      state: deliveryState,
      attempts: z.int(),
      next_at: time.nullable(),
      tried: z.array(attemptSchema),
    }),
  ),
})

export const eventExample = {
  id: '0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21',
  type: 'access.granted',
  product: 'academy',
  subject: '0199c2b4-1111-7c1e-9f52-1b6f0a4c8e21',
  occurred_at: '2026-11-23T12:00:00.000Z',
  data: EVENT_CATALOGUE['access.granted'].example,
}

export const endpointIdExample = '0199c2b4-c1d2-7e30-8f41-5a6b7c8d9e0f'
export const attemptExample = { at: '2026-11-23T12:00:00.000Z', ms: 48, status: 200, fault: null, answer: '' }
