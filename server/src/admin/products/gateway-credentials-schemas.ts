import { z } from 'zod'
import { API_URL_WARNINGS, GATEWAY_API_FAULTS } from '../../gateways/index.ts'
import { GATEWAYS } from '../../products/index.ts'
import { reason } from '../api/request/reason.ts'

const time = z.iso.datetime().nullable()

export const credentialsBody = z.strictObject({
  webhook_secret: z.unknown().describe('text, as the gateway shows it; an object or its text where that is the form, as with pagarme'),
  access_token: z.string(),
  api_url: z.string().nullable().optional().describe("another address of the gateway's API, as its sandbox's"),
  is_test: z.boolean().optional().describe("they are a sandbox's: what they bring is recorded as a test"),
  reason: reason.optional(),
})

/** A sentence in English for the operator, and the same as a code with values. */
const values = z.record(z.string(), z.union([z.string(), z.number()]))
const warning = z
  .object({ says: z.string(), code: z.enum(API_URL_WARNINGS), values })
  .nullable()
  .describe('what looks wrong about api_url')

export const gatewayPlaceSchema = z
  .object({
    gateway: z.enum(GATEWAYS),
    webhook_url: z.string().nullable().describe('what to register there'),
    is_test: z.boolean().nullable(),
    api_url: z.string().nullable(),
    created_at: time,
    updated_at: time,
    warning,
  })
  .meta({ id: 'GatewayCredentials' })

export const gatewayPlaceExample = {
  gateway: 'asaas',
  webhook_url: 'https://portaria.example.com/api/webhooks/asaas/wk_…',
  is_test: false,
  api_url: null,
  created_at: '2026-11-20T12:00:00.000Z',
  updated_at: '2026-11-20T12:00:00.000Z',
  warning: null,
}

export const probeSchema = z
  .object({
    ok: z.boolean(),
    says: z.string().describe('in English, for whoever runs the service'),
    code: z.enum(GATEWAY_API_FAULTS).nullable().describe('what is wrong'),
    values: values.describe('what belongs to code, as host or status'),
    warning,
  })
  .meta({ id: 'GatewayProbe' })

export const probeExample = { ok: true, says: 'its API takes the access token', code: null, values: {}, warning: null }
