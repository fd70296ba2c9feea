import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { GatewayState, ProductDetails } from '../product.ts'
import { healthOf } from './health.ts'

const NOW = Date.parse('2026-11-24T12:00:00Z')
const key = { id: 'k', hint: 'sk_1', created_at: '2026-01-01T00:00:00Z', revoked_at: null, last_used_at: '2026-11-20T00:00:00Z' }
const asaas: GatewayState = {
  gateway: 'asaas',
  webhook_url: null,
  credentials: 'live',
  last_delivery_at: '2026-11-23T00:00:00Z',
  verification_failures: 0,
  failing_since: null,
  last_verification_failure_at: null,
  unresolved: 0,
  awaiting_gateway: 0,
  failed: 0,
}
const well = {
  audience: 'external',
  handoff: 'eg_token',
  checkout: 'integrated',
  openid: null,
  forward_auth: null,
  redirect_uris: [{ uri: 'https://a.example/', trusted: false }],
  api_keys: [key],
  payment_methods: [{ method: 'pix', gateway: 'asaas' }],
  gateway_credentials: [{ gateway: 'asaas', is_test: false, api_url: null, updated_at: null }],
  gateways: [asaas],
} as unknown as ProductDetails
const around = { endpoints: [{ state: 'enabled' as const }], lastSignInAt: '2026-11-24T00:00:00Z' }

const said = (product: Partial<ProductDetails> = {}, more: Partial<Parameters<typeof healthOf>[1]> = {}) =>
  Object.fromEntries(healthOf({ ...well, ...product }, { ...around, ...more }, NOW).map(({ tab, kind, tone }) => [tab, `${kind} ${tone}`]))

it('a product that is well says so of each of its parts', () => {
  assert.deepEqual(said(), {
    sign_in: 'last_sign_in good',
    keys: 'keys_used good',
    events: 'endpoints_well good',
    payments: 'last_delivery good',
  })
})

it('what is missing or fails is said first', () => {
  assert.equal(said({ redirect_uris: [] }).sign_in, 'no_redirect_uri bad')
  assert.equal(said({ gateway_credentials: [] }).payments, 'credentials_missing bad')
  assert.equal(said({ gateways: [{ ...asaas, failing_since: '2026-11-23T00:00:00Z', unresolved: 2 }] }).payments, 'deliveries_refused bad')
  assert.equal(said({ gateways: [{ ...asaas, failed: 1 }] }).payments, 'purchases_wait warning')
  assert.equal(said({}, { endpoints: [{ state: 'enabled' }, { state: 'disabled' }] }).events, 'endpoints_failing bad')
})

it('a key that nobody has sent for ninety days is unused; a revoked one does not count', () => {
  const old = { ...key, last_used_at: '2026-08-01T00:00:00Z' }
  const neverSent = { ...old, created_at: old.last_used_at, last_used_at: null }
  for (const unused of [old, neverSent]) assert.equal(said({ api_keys: [key, unused] }).keys, 'keys_unused warning')
  assert.equal(said({ api_keys: [{ ...key, created_at: '2026-11-24T00:00:00Z', last_used_at: null }] }).keys, 'keys_new neutral')
  assert.equal(said({ api_keys: [key, { ...old, revoked_at: '2026-08-02T00:00:00Z' }] }).keys, 'keys_used good')
  assert.equal(said({ api_keys: [] }).keys, 'no_key neutral')
})

it('nothing is said of what is not there: sign-ins that are not told apart, payments elsewhere, what is still read', () => {
  assert.equal(said({}, { lastSignInAt: null }).sign_in, 'no_sign_in neutral')
  assert.equal(said({ audience: 'internal', handoff: 'eg_session' }, { lastSignInAt: null }).sign_in, undefined)
  assert.equal(said({ checkout: 'external' }).payments, undefined)
  assert.equal(said({ payment_methods: [], gateway_credentials: [], gateways: [] }).payments, undefined, 'an own checkout sells')
  assert.equal(said({}, { endpoints: undefined }).events, undefined)
})
