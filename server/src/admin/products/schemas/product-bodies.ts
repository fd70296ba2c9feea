import { z } from 'zod'
import { reason } from '../../api/request/reason.ts'
import {
  audience,
  checkout,
  days,
  foreigners,
  forwardAuth,
  handoff,
  openid,
  paymentMethods,
  redirectUris,
  requires,
  scopes,
} from './product-values.ts'

export const createProductBody = z.strictObject({
  slug: z.string(),
  name: z.string(),
  audience,
  checkout,
  handoff: handoff.optional().describe('external products always get eg_token'),
  scopes: scopes.optional().describe('all of them where none are given'),
  requires: requires.optional().describe('all of it where none is given'),
  foreigners: foreigners.optional(),
  query_key_allowed: z.boolean().optional(),
  redirect_uris: redirectUris.optional(),
  openid: openid.partial().optional().describe('with a kind; absent: it does not speak OpenID Connect'),
  forward_auth: forwardAuth.optional(),
  reason: reason.optional(),
})

export const changeProductBody = z.strictObject({
  name: z.string().optional(),
  checkout: checkout.optional(),
  handoff: handoff.optional(),
  scopes: scopes.optional(),
  requires: requires.optional(),
  foreigners: foreigners.optional(),
  query_key_allowed: z.boolean().optional(),
  openid: openid.partial().nullable().optional().describe('an absent part stays as it is; null turns it off'),
  backchannel_logout_uri: z.string().max(1_000).nullable().optional(),
  redirect_uris: redirectUris.optional().describe('all of them as they are to be: one that is left out is removed'),
  payment_methods: paymentMethods
    .refine((entries) => new Set(entries.map(({ method }) => method)).size === entries.length)
    .optional()
    .describe('all of them as they are to be; each method once'),
  grace_days: z.strictObject({ pix: days.optional(), boleto: days.optional(), card: days.optional() }).optional(),
  forward_auth: forwardAuth.optional(),
  reason: reason.optional(),
})
