import { z } from 'zod'
import { ENDPOINT_STATES, EVENT_TYPES, type EventType, isOperatorOnly } from '../../app-events/index.ts'
import { EVENT_CATALOGUE } from '../../event-delivery/index.ts'
import { reason } from '../api/request/reason.ts'

const time = z.iso.datetime().nullable()

export const endpointSchema = z
  .object({
    id: z.uuid(),
    product: z.string().nullable().describe("the product's slug; null: the operator's, which hears of every product"),
    url: z.string(),
    types: z.array(z.enum(EVENT_TYPES)),
    description: z.string(),
    state: z
      .enum(ENDPOINT_STATES)
      .describe('`preparing`: the access of all users is being read; changes of access are reported from `ready_at` on'),
    failing_since: time,
    disables_at: time.describe('when it will be disabled, if it goes on failing'),
    disabled_at: time,
    disabled_reason: z.string().nullable(),
    ready_at: time,
    last_success_at: time,
    waiting: z.int().describe('deliveries that wait; 1000: or more'),
    previous_secret_until: time.describe('until then deliveries are signed with the secret before, too'),
    created_at: time,
  })
  .meta({ id: 'EventEndpoint' })

export const endpointExample = {
  id: '0199c2b4-c1d2-7e30-8f41-5a6b7c8d9e0f',
  product: 'academy',
  url: 'https://academy.example.com/hooks/portaria',
  types: ['access.granted', 'access.changed', 'access.revoked'],
  description: 'the academy',
  state: 'enabled',
  failing_since: null,
  disables_at: null,
  disabled_at: null,
  disabled_reason: null,
  ready_at: '2026-11-23T12:00:01.000Z',
  last_success_at: '2026-11-23T12:00:05.000Z',
  waiting: 0,
  previous_secret_until: null,
  created_at: '2026-11-23T12:00:00.000Z',
}

export const cataloguedType = z.object({
  type: z.enum(EVENT_TYPES),
  when: z.string(),
  operator_only: z.boolean().describe("a product's endpoint can't choose it"),
})

export function catalogued(type: EventType): z.output<typeof cataloguedType> {
  return { type, when: EVENT_CATALOGUE[type].when, operator_only: isOperatorOnly(type) }
}

/** An absent field stays as it is. */
export const changeEndpointBody = z.strictObject({
  url: z.string().max(2_048).optional().describe('what waits goes to the new address'),
  types: z.array(z.enum(EVENT_TYPES)).min(1).optional(),
  description: z.string().max(200).nullable().optional(),
  reason: reason.optional(),
})

export const createEndpointBody = z.strictObject({
  product: z.string().max(64).nullable().default(null).describe("the product's slug; null: the operator's"),
  url: z.string().max(2_048).describe('https; in development http on a loopback host'),
  types: z.array(z.enum(EVENT_TYPES)).min(1).describe("those that are `operator_only` are refused for a product's endpoint"),
  description: z.string().max(200).default(''),
  disabled: z.boolean().default(false).describe('its events are recorded, and nothing is sent until it is enabled'),
  reason: reason.optional(),
})
