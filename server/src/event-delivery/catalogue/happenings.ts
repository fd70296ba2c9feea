import { z } from 'zod'
import type { EventType } from '../../app-events/index.ts'
import type { CataloguedEvent } from './catalogued-event.ts'

const PRODUCT = '0199c2b4-2222-7c1e-9f52-1b6f0a4c8e21'
const product = z.uuid().nullable()

const sessionData = z
  .object({
    product_id: product.describe("null: a session of the domain, of which the operator's endpoints hear"),
    user_id: z.uuid(),
    session_id: z
      .uuid()
      .nullable()
      .describe('the `sid` of the token that the app was given; null where all sessions of a user end who shares data with it'),
  })
  .meta({ id: 'SessionRevokedData' })

const purchaseData = z
  .object({
    product_id: product.describe('null where the notification names no product'),
    notification_id: z.uuid(),
    source: z.string().describe('`purchase`, or the name of a gateway'),
    event: z.string().describe("the sender's word for what happened"),
    reason: z.string().describe('as `portaria webhook show` has it; `failed`: the gateway gave no answer'),
    received_at: z.iso.datetime(),
  })
  .meta({ id: 'PurchaseUnresolvedData' })

const endpointData = z
  .object({
    endpoint_id: z.uuid(),
    product_id: product.describe("null: the operator's"),
    url: z.string(),
    description: z.string(),
    reason: z.enum(['operator', 'gone', 'failing']),
  })
  .meta({ id: 'EndpointDisabledData' })

/** The events that say what has happened once, without a state. */
export const happenings = {
  'session.revoked': {
    when: 'a session has ended before its time: by a sign-out, a new password, a closed account, the operator',
    data: sessionData,
    example: {
      product_id: PRODUCT,
      user_id: '0199c2b4-1111-7c1e-9f52-1b6f0a4c8e21',
      session_id: '0199c2b4-3333-7c1e-9f52-1b6f0a4c8e21',
    },
  },
  'purchase.unresolved': {
    when: 'a notification of a payment needs the operator: its plan, its buyer or its amount is not clear, or the gateway gave no answer',
    data: purchaseData,
    example: {
      product_id: PRODUCT,
      notification_id: '0199c2b4-4444-7c1e-9f52-1b6f0a4c8e21',
      source: 'stripe',
      event: 'invoice.paid',
      reason: 'unknown_plan',
      received_at: '2026-11-23T12:00:00.000Z',
    },
  },
  'endpoint.disabled': {
    when: "an endpoint is disabled: by an administrator, by its own 410, or after five days of failure; only the operator's endpoints can choose it",
    data: endpointData,
    example: {
      endpoint_id: '0199c2b4-5555-7c1e-9f52-1b6f0a4c8e21',
      product_id: PRODUCT,
      url: 'https://academy.example.com/hooks/portaria',
      description: 'the academy',
      reason: 'failing',
    },
  },
} as const satisfies Partial<Record<EventType, CataloguedEvent>>
