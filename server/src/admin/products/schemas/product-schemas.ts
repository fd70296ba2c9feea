import { z } from 'zod'
import { GATEWAYS, METHODS } from '../../../products/index.ts'
import { listQuery } from '../../api/list.ts'
import { audience, checkout, days, foreigners, forwardAuth, handoff, openid, paymentMethods, requires, scopes } from './product-values.ts'

const time = z.iso.datetime().nullable()

export const productSchema = z
  .object({
    id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    audience,
    checkout,
    handoff,
    scopes,
    requires,
    foreigners,
    query_key_allowed: z.boolean().describe('whether the API key may also be a query input of check-access'),
    openid: openid.nullable().describe('how it speaks OpenID Connect; null: not at all'),
    backchannel_logout_uri: z.string().nullable().describe('the address that is notified of ended sessions'),
    publishable_key: z.string(),
    created_at: time,
  })
  .meta({ id: 'Product' })

const gatewayState = z.object({
  gateway: z.enum(GATEWAYS),
  webhook_url: z.string().nullable().describe('what to register there; for owners'),
  credentials: z.enum(['live', 'test']).nullable(),
  last_delivery_at: time,
  verification_failures: z.int(),
  failing_since: time.describe('the first delivery with a failed verification after which none had the right one'),
  last_verification_failure_at: time,
  unresolved: z.int(),
  awaiting_gateway: z.int(),
  failed: z.int(),
})

export const productDetailsSchema = productSchema
  .extend({
    webhook_key: z.string().nullable().describe('the newest live one; for owners'),
    redirect_uris: z.array(z.object({ uri: z.string(), trusted: z.boolean() })),
    api_keys: z.array(z.object({ id: z.uuid(), hint: z.string(), created_at: time, revoked_at: time, last_used_at: time })),
    webhook_keys: z.array(
      z.object({ id: z.uuid(), hint: z.string(), key: z.string().nullable().describe('for owners'), created_at: time, revoked_at: time }),
    ),
    payment_methods: paymentMethods,
    gateway_credentials: z.array(
      z.object({ gateway: z.enum(GATEWAYS), is_test: z.boolean(), api_url: z.string().nullable(), created_at: time, updated_at: time }),
    ),
    grace_days: z.record(z.enum(METHODS), days),
    forward_auth: forwardAuth,
    gateways: z.array(gatewayState),
  })
  .meta({ id: 'ProductDetails' })

export const productListQuery = listQuery(
  { sorts: ['name', 'slug', 'created_at'], usual: 'name' },
  {
    q: z.string().trim().min(1).max(100).optional().describe('a part of the slug or the name'),
    audience: audience.optional(),
    checkout: checkout.optional(),
  },
)
