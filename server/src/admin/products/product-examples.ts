/** A product in the examples of the API description. */
export const productExample = {
  id: '0199c2b4-6a10-7d44-8e21-3f5b7a9c1d02',
  slug: 'loja',
  name: 'Loja',
  audience: 'external',
  checkout: 'integrated',
  handoff: 'eg_token',
  scopes: ['read:email', 'read:profile'],
  requires: ['tax_id', 'phone'],
  foreigners: 'document',
  query_key_allowed: false,
  publishable_key: 'pk_…',
  created_at: '2026-11-20T12:00:00.000Z',
}

export const productDetailsExample = {
  ...productExample,
  webhook_key: 'wk_…',
  redirect_uris: [{ uri: 'https://loja.example.com/callback', trusted: false }],
  api_keys: [
    {
      id: '0199c2b4-6a11-7b02-9c33-5d7e9f1a2b3c',
      hint: 'sk_4f…a2',
      created_at: '2026-11-20T12:00:00.000Z',
      revoked_at: null,
      last_used_at: '2026-11-21T09:30:00.000Z',
    },
  ],
  webhook_keys: [
    {
      id: '0199c2b4-6a12-7e55-a1b2-c3d4e5f60718',
      hint: 'wk_9c…7d',
      key: 'wk_…',
      created_at: '2026-11-20T12:00:00.000Z',
      revoked_at: null,
    },
  ],
  payment_methods: [{ method: 'pix', gateway: 'asaas' }],
  gateway_credentials: [
    {
      gateway: 'asaas',
      is_test: false,
      api_url: null,
      created_at: '2026-11-20T12:00:00.000Z',
      updated_at: '2026-11-20T12:00:00.000Z',
    },
  ],
  grace_days: { pix: 7, boleto: 5, card: 3 },
  forward_auth: null,
  gateways: [
    {
      gateway: 'asaas',
      webhook_url: 'https://portaria.example.com/api/webhooks/asaas/wk_…',
      credentials: 'live',
      last_delivery_at: '2026-11-21T09:30:00.000Z',
      verification_failures: 0,
      failing_since: null,
      last_verification_failure_at: null,
      unresolved: 0,
      awaiting_gateway: 0,
      failed: 0,
    },
  ],
}
