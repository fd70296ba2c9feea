import { constants, createPublicKey, verify } from 'node:crypto'
import { z } from 'zod'
import type { Method, PaymentKind } from '../subscriptions/index.ts'
import type { Delivery, GatewayAdapter, GatewayCredentials, GatewayNews, Kept, Proof, Vendor } from './gateway.ts'
import { centavos } from './money.ts'

/**
 * Pagar.me v5 (docs.pagar.me; pagarme/ecommerce-module-core for the signature). A delivery is signed and tells all there is, the buyer's address included, so its
 * API is asked for reconciliation alone. Of the families of events that tell of one purchase (order, charge, invoice) charges alone count.
 */
export const pagarme: GatewayAdapter = {
  api: {
    url: 'https://api.pagar.me/core/v5',
    headers: (accessToken) => ({ authorization: `Basic ${Buffer.from(`${accessToken}:`).toString('base64')}` }),
  },
  prove,
  read({ body }) {
    const { id: hook, type, data } = parse(envelope, body) ?? {}
    return hook && type ? { id: hook, event: type, subject: parse(charge, data)?.id, isTest: false } : undefined
  },
  tell,
  async ask(kept) {
    const told = tell(kept)
    return told === 'ask' ? 'ignored' : told
  },
  list,
  async probe(vendor) {
    await vendor.get('/charges?page=1&size=1')
  },
}

/**
 * The webhook secret is `{"account_id": "acc_…", "jwks": {…}}`: the set of https://hubapi.pagar.me/.well-known/jwks.json and the owner's account. A proof comes
 * before the answer, and nothing is asked of anyone before the answer: so the keys are given to us and not fetched. They are the same for all accounts, and prove
 * Pagar.me alone; the account in the signed body is what makes it the owner's.
 */
const secret = z.object({
  account_id: z.string().min(1),
  jwks: z.object({ keys: z.array(z.looseObject({ kty: z.literal('RSA'), kid: z.string() })) }),
})

function prove({ raw, header }: Delivery, { webhookSecret }: GatewayCredentials): Proof {
  const sent = header('x-webhook-asymmetric-signature') ?? ''
  if (sent.trim() === '') return 'missing'
  const [, kid, signature = ''] = /^\s*alg=RS256;\s*kid=([^;\s]+);\s*signature=([\w-]+={0,2})\s*$/.exec(sent) ?? []
  const trusted = parse(secret, parseJson(webhookSecret))
  const jwk = trusted?.jwks.keys.find((key) => key.kid === kid)
  if (!jwk || !isSigned(raw, jwk, signature)) return 'invalid'
  const { account } = parse(envelope, parseJson(new TextDecoder().decode(raw))) ?? {}
  return account?.id === trusted?.account_id ? 'proven' : 'invalid'
}

function isSigned(raw: Uint8Array, jwk: Record<string, unknown>, signature: string): boolean {
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const isStrong = (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
    return isStrong && verify('sha256', raw, { key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(signature, 'base64url'))
  } catch {
    return false // a key set that an owner pasted wrongly proves nothing
  }
}

const kinds: ReadonlyMap<string, PaymentKind> = new Map<string, PaymentKind>([
  ['charge.pending', 'payment_pending'],
  ['charge.paid', 'paid'],
  ['charge.overpaid', 'paid'],
  ['charge.payment_failed', 'payment_failed'],
  ['charge.refunded', 'refunded'],
  ['charge.partial_canceled', 'partially_refunded'],
  // None of Pagar.me's events says that a chargeback was won: `disputed` leaves it to the next payment, or to the operator.
  ['charge.chargedback', 'disputed'],
])

function tell({ body, receivedAt }: Kept): GatewayNews | 'ask' | 'ignored' {
  const { id: hook, type, created_at, data } = parse(envelope, body) ?? {}
  const happenedAt = timeOf(created_at) ?? receivedAt
  if (type === 'subscription.canceled' && hook) return cancellation(parse(subscription, data), hook, happenedAt)
  const kind = kinds.get(type ?? '')
  const about = parse(charge, data)
  return kind && about && hook ? (newsOf(about, kind, { hook, happenedAt }) ?? 'ignored') : 'ignored'
}

function newsOf(about: Charge, kind: PaymentKind, { hook, happenedAt }: { hook: string; happenedAt: number }): GatewayNews | undefined {
  const { id: paymentId, invoice, order, customer } = about
  const slugs = slugsIn(about.metadata, order?.metadata, invoice?.metadata)
  const isOffer = invoice?.subscriptionId !== undefined
  if (paymentId === undefined || (!isOffer && slugs.length === 0)) return undefined
  const canceled = kind === 'partially_refunded' || kind === 'refunded'
  // A charge can fail at each of its attempts, and be given back part by part.
  const which = kind === 'payment_failed' ? ` ${hook}` : kind === 'partially_refunded' ? ` ${centavos(about.canceled_amount) ?? hook}` : ''
  return {
    key: `${paymentId} ${kind}${which}`,
    kind,
    subscriptionId: invoice?.subscriptionId,
    paymentId,
    paymentAliases: [],
    buyer: customer?.email,
    amount: centavos(canceled ? about.canceled_amount : (about.paid_amount ?? about.amount)),
    method: methods.get(about.payment_method ?? ''),
    occurredAt: (kind === 'paid' ? timeOf(about.paid_at) : undefined) ?? happenedAt,
    periodEnd: undefined, // a charge does not say what period it pays
    plan: { slugs, refs: invoice?.subscriptionId === undefined ? [] : [invoice.subscriptionId], isOffer },
  }
}

function cancellation(about: Subscription | undefined, hook: string, happenedAt: number): GatewayNews | 'ignored' {
  if (about?.id === undefined) return 'ignored'
  const none = { paymentId: undefined, paymentAliases: [], amount: undefined, method: undefined, periodEnd: undefined }
  const plan = { slugs: slugsIn(about.metadata), refs: [about.id], isOffer: true }
  const occurredAt = timeOf(about.canceled_at) ?? happenedAt
  return {
    ...none,
    key: `${about.id} canceled ${hook}`,
    kind: 'canceled',
    subscriptionId: about.id,
    buyer: about.customer?.email,
    occurredAt,
    plan,
  }
}

const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['credit_card', 'card'],
  ['debit_card', 'card'],
  ['boleto', 'boleto'],
  ['pix', 'pix'],
])

const statuses: ReadonlyMap<string, string> = new Map([
  ['pending', 'charge.pending'],
  ['paid', 'charge.paid'],
  ['overpaid', 'charge.paid'],
  ['chargedback', 'charge.chargedback'],
])

const PAGE = 30

/** Charges created since; the state of each in the words of events. */
async function* list(since: number, vendor: Vendor): AsyncIterable<GatewayNews> {
  for (let page = 1; page < 10_000; page++) {
    const query = new URLSearchParams({ created_since: new Date(since).toISOString(), page: String(page), size: String(PAGE) })
    const all = parse(z.object({ data: z.array(z.unknown()) }), await vendor.get(`/charges?${query}`))?.data ?? []
    for (const one of all) {
      const about = parse(charge, one)
      const kind = kinds.get(statuses.get(about?.status ?? '') ?? '')
      const news = about && kind && newsOf(about, kind, { hook: 'listed', happenedAt: timeOf(about.updated_at) ?? since })
      if (news) yield news
    }
    if (all.length < PAGE) return
  }
}

const lenient = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined)
const text = lenient(z.string().regex(/^[^\p{Cc}\p{Cs}]{1,255}$/u))
const id = lenient(z.string().regex(/^[\w-]{1,128}$/))
const metadata = lenient(z.object({ plan_slug: text }))
const customer = lenient(z.object({ email: text }))

const envelope = z.object({ id, type: text, created_at: text, account: lenient(z.object({ id })), data: z.unknown().optional() })
const subscription = z.object({ id, customer, metadata, canceled_at: text })
const charge = z.object({
  id,
  amount: z.unknown().optional(),
  paid_amount: z.unknown().optional(),
  canceled_amount: z.unknown().optional(),
  status: text,
  payment_method: text,
  paid_at: text,
  updated_at: text,
  customer,
  invoice: lenient(z.object({ subscriptionId: id, metadata })),
  order: lenient(z.object({ metadata })),
  metadata,
})
type Charge = z.infer<typeof charge>
type Subscription = z.infer<typeof subscription>

function parse<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> | undefined {
  return schema.safeParse(value).data
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** A plan's slug in the metadata of what was sold. */
function slugsIn(...all: ({ plan_slug?: string | undefined } | undefined)[]): string[] {
  return [...new Set(all.flatMap((one) => one?.plan_slug ?? []))].filter((slug) => /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/.test(slug))
}

/** An ISO time in ms. Some come without a zone, and those with one are all in UTC. */
function timeOf(iso: string | undefined): number | undefined {
  const [, stated, zone] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z?)$/.exec(iso ?? '') ?? []
  const at = stated === undefined ? Number.NaN : Date.parse(`${stated}${zone || 'Z'}`)
  return Number.isNaN(at) ? undefined : at
}
