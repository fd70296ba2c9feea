import { z } from 'zod'
import { FINDING_CODES, PROVIDER_KINDS } from '../../identity-providers/index.ts'
import { listQuery } from '../api/list.ts'
import { reason } from '../api/request/reason.ts'

const MAX_DOMAINS = 200
const MAX_SECRET = 4_000

/** Characters that databases and headers can hold. */
const line = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .regex(/^\P{Cc}*$/u)
const domains = z
  .array(line(253))
  .max(MAX_DOMAINS)
  .describe('mail domains whose addresses it vouches for; `*` for any, so that whoever runs it can open any account')
const audience = z.string().max(500).describe('the `aud` of its access tokens that are taken on GET /api/me; null: none are')
const secret = z.string().trim().max(MAX_SECRET).describe('is never shown again')

export const providerSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: z.enum(PROVIDER_KINDS),
    issuer: z.string(),
    client_id: z.string(),
    authoritative_for: z.array(z.string()),
    access_token_audience: z.string().nullable(),
    created_at: z.iso.datetime(),
    redirect_uri: z.string().describe('to be registered at the provider'),
  })
  .meta({ id: 'IdentityProvider' })

export const providerListQuery = listQuery({ sorts: ['name', 'created_at'], usual: 'name' }, {})

export const createProviderBody = z.strictObject({
  id: z.string().max(64).describe('your name for it, part of addresses: google'),
  name: z.string().max(200).describe('as shown on the button'),
  kind: z.enum(PROVIDER_KINDS).optional().describe('what it speaks; openid, unless it is one of the others'),
  issuer: z.string().max(2_000),
  client_id: z.string().max(1_000),
  client_secret: secret,
  authoritative_for: domains.optional(),
  access_token_audience: audience.nullable().optional(),
  reason: reason.optional(),
})

export const changeProviderBody = z.strictObject({
  name: z.string().max(200).optional(),
  client_secret: secret.optional(),
  authoritative_for: domains.optional(),
  access_token_audience: audience.nullable().optional(),
  reason: reason.optional(),
})

export const testProviderBody = z.strictObject({
  client_secret: secret.optional().describe('another secret to try, before it is saved; the stored one without it'),
})

export const providerExample = {
  id: 'google',
  name: 'Google',
  kind: 'openid',
  issuer: 'https://accounts.google.com',
  client_id: '1234.apps.googleusercontent.com',
  authoritative_for: ['gmail.com'],
  access_token_audience: null,
  created_at: '2026-11-20T12:00:00.000Z',
  redirect_uri: 'https://portaria.example.com/auth/callback',
}

export const findingsSchema = z
  .object({
    ok: z.boolean(),
    findings: z.array(
      z.object({
        check: z.enum(['discovery', 'code_flow', 'pkce', 'keys', 'issuer_parameter', 'client']),
        result: z.enum(['ok', 'warn', 'fail']),
        says: z.string().describe('in English, for whoever runs the service'),
        code: z.enum(FINDING_CODES).nullable().describe('what was found, where check and result leave something open'),
        values: z.record(z.string(), z.union([z.string(), z.number()])).describe('what belongs to code, as host or status'),
      }),
    ),
  })
  .meta({ id: 'ProviderFindings' })

export const findingsExample = {
  ok: true,
  findings: [
    { check: 'discovery', result: 'ok', says: 'https://accounts.google.com answers and names itself so', code: null, values: {} },
    { check: 'pkce', result: 'ok', says: 'offers PKCE with S256', code: null, values: {} },
  ],
}

export const presetsSchema = z
  .object({
    redirect_uri: z.string().describe('to be registered at each provider'),
    presets: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        kind: z.enum(PROVIDER_KINDS),
        issuer: z.string().describe('a word in braces is yours to fill in'),
        authoritative_for: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: 'IdentityProviderPresets' })

export const presetsExample = {
  redirect_uri: 'https://portaria.example.com/auth/callback',
  presets: [{ id: 'google', name: 'Google', kind: 'openid', issuer: 'https://accounts.google.com', authoritative_for: ['gmail.com'] }],
}
