import { createHmac, randomUUID } from 'node:crypto'
import { applyEvent, type PaymentEvent } from '../../../src/payment-history/index.ts'
import type { PurchaseEvent } from '../../../src/purchases/index.ts'
import { OPERATOR_SCOPE, planStore, type Subscription } from '../../../src/subscriptions/index.ts'
import type { TestService } from '../service.ts'

/** The environment with which purchases can be signed. */
export const WEBHOOK_SECRET = 'the secret that both sides share'
export const WEBHOOKS = { PORTARIA_WEBHOOK_SECRET: WEBHOOK_SECRET }

/** A notification of variant A. */
export function completed({
  email,
  plan = 'easy-pro',
  productId = randomUUID(),
  at = new Date().toISOString(),
  ...more
}: {
  email: string
  plan?: string
  productId?: string
  at?: string
  is_test?: boolean
  data?: object
}) {
  return { event: 'purchase.completed', customer: { email }, product: { id: productId, plan_slug: plan }, timestamp: at, ...more }
}

/** A notification of variant B. */
export function activated({
  email,
  id = randomUUID(),
  name = 'Easy Pro',
  at = new Date().toISOString(),
  isTest = false,
  ...more
}: {
  email: string
  id?: string
  name?: string
  at?: string
  isTest?: boolean
  product_id?: string
  payment_id?: string
  period_start?: string
  period_end?: string
  amount?: number
}) {
  const data = { subscription_id: id, product_name: name, user_email: email, amount: 9900, is_test: isTest, ...more }
  return { event: 'subscription.activated', data, timestamp: at }
}

/** A later event of a subscription, in variant B's form. */
export function later(
  event: Exclude<PurchaseEvent, 'purchase.completed' | 'subscription.activated'>,
  { at = new Date().toISOString(), ...data }: { at?: string } & Record<string, unknown>,
) {
  return { event, data: { is_test: false, ...data }, timestamp: at }
}

/** A body as its sender puts it on the wire. */
export function signed(body: object, secret = WEBHOOK_SECRET): string {
  return JSON.stringify({ ...body, signature: createHmac('sha256', secret).update(JSON.stringify(body)).digest('hex') })
}

/** Sends a body, signed unless it is text already. */
export async function notify(url: string, body: object | string): Promise<{ status: number; body: unknown }> {
  const sent = typeof body === 'string' ? body : signed(body)
  const answer = await fetch(`${url}/api/webhook/payment`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: sent })
  return { status: answer.status, body: await answer.json() }
}

/** Sends bytes as they are, with any headers and no others; answers status, headers and body. */
export async function deliver(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<{ status: number; body: unknown; headers: Headers }> {
  // As bytes, since fetch gives a text a content type of its own.
  const sent = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const answer = await fetch(`${url}/api/webhook/payment`, { method: 'POST', headers, body: sent })
  return { status: answer.status, body: await answer.json(), headers: answer.headers }
}

/** A copy of a body in which one field, named by its path, is another value, or is gone where that is `undefined`. */
export function altered(body: object, path: string, value: unknown): object {
  const [key = '', ...rest] = path.split('.')
  const inner: unknown = Object.entries(body).find(([name]) => name === key)?.[1]
  if (rest.length === 0) return { ...body, [key]: value }
  return { ...body, [key]: altered(typeof inner === 'object' && inner !== null ? inner : {}, rest.join('.'), value) }
}

/** Every notification received, oldest first. */
export function received({ context }: TestService) {
  return context.storage.db.selectFrom('notifications').selectAll().orderBy('id').execute()
}

/** One buyer's subscriptions, oldest first. */
export function subscriptionsOf({ context }: TestService, email: string) {
  return context.storage.db.selectFrom('subscriptions').selectAll().where('email', '=', email).orderBy('id').execute()
}

let brought = 0

/** Brings events to a subscription as the operator, or a gateway, would: of a plan of the operator's, unless another is named. */
export async function bring(
  { context }: TestService,
  {
    ref,
    productId,
    plan = 'easy-pro',
    scope = OPERATOR_SCOPE,
    ...event
  }: { ref: string; productId?: string; plan?: string; scope?: string } & Partial<PaymentEvent> & Pick<PaymentEvent, 'kind'>,
): Promise<Subscription> {
  const { storage, changes } = context
  const at = context.now()
  const known = (await planStore(storage.db).list(scope)).find(({ slug }) => slug === plan)
  if (!known) throw new Error(`no plan ${plan}`)
  const key = `event ${++brought}`
  const none = {
    email: undefined,
    paymentId: undefined,
    amount: undefined,
    method: undefined,
    periodStart: undefined,
    periodEnd: undefined,
  }
  const events = {
    stream: { source: 'test', ref },
    productId,
    event: { ...none, key, at, planId: known.id, ...event },
    notificationId: undefined,
  }
  return changes.transaction((tx, announce) => applyEvent(tx, events, { announce, storage, at }))
}
