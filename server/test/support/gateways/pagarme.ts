import { generateKeyPairSync, type KeyPairKeyObjectResult, sign } from 'node:crypto'

/** The account whose deliveries the tests' credentials of Pagar.me trust. */
export const PAGARME_ACCOUNT = 'acc_TEST000000000001'

const pairs = new Map<string, KeyPairKeyObjectResult>()

/** The key pair of a name, the same for the whole run. */
export function pairOf(name: string, bits = 2048): KeyPairKeyObjectResult {
  const pair = pairs.get(name) ?? generateKeyPairSync('rsa', { modulusLength: bits })
  pairs.set(name, pair)
  return pair
}

/** Its public half as Pagar.me publishes it. */
export function jwkOf(name: string, more: object = {}): Record<string, unknown> {
  return { ...pairOf(name).publicKey.export({ format: 'jwk' }), kid: kidOf(name), use: 'sig', alg: 'RS256', ...more }
}

/** A webhook secret that trusts the key of this name. */
export function trusting(name: string): { account_id: string; jwks: { keys: object[] } } {
  return { account_id: PAGARME_ACCOUNT, jwks: { keys: [jwkOf(name)] } }
}

/** The header with which Pagar.me signs a body. */
export function signatureOf(raw: string | Uint8Array, name: string, { kid = kidOf(name), alg = 'RS256' } = {}): string {
  const signature = sign('sha256', Buffer.from(raw), pairOf(name).privateKey).toString('base64url')
  return `alg=${alg}; kid=${kid}; signature=${signature}`
}

export function kidOf(name: string): string {
  return Buffer.from(name).toString('hex').slice(0, 40)
}

let events = 0

/** A delivery of Pagar.me's. */
export function pagarmeEvent(
  type: string,
  data: object,
  { at = Date.now(), account = PAGARME_ACCOUNT }: { at?: number; account?: unknown } = {},
) {
  const id = `hook_${Date.now().toString(36)}${++events}`
  return { id, account: { id: account, name: 'Loja Exemplo' }, type, created_at: new Date(at).toISOString(), data }
}

/** A charge that was paid by PIX, as its delivery and the API show it. */
export function pagarmeCharge(id: string, email: string | undefined, more: object = {}) {
  const at = new Date().toISOString()
  return {
    id,
    code: id,
    amount: 9_990,
    paid_amount: 9_990,
    status: 'paid',
    currency: 'BRL',
    payment_method: 'pix',
    paid_at: at,
    created_at: at,
    updated_at: at,
    customer: { id: `cus_${id}`, email },
    order: { id: `or_${id}`, metadata: { plan_slug: 'curso' } },
    ...more,
  }
}
