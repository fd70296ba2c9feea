import { type Actor, recordAudit } from '../../audit/index.ts'
import { createGuardedFetch, type GuardedFetch } from '../../guarded-fetch/index.ts'
import { type Now, normaliseEmail, sha256Base64Url } from '../../kit/index.ts'
import { notificationStore } from '../../notifications/index.ts'
import { digestOf, PURCHASE_SOURCE, type PurchaseEvent, parsePurchase, signPurchase } from '../../purchases/index.ts'
import type { Queryable, Storage } from '../../storage/index.ts'
import { subscriptionStore } from '../../subscriptions/index.ts'
import { ANSWER_FAULTS, callWebhook } from './judge-response.ts'
import { findTestedOffer, testedEvent, type Variant, variantOf, writeTestPurchase } from './test-purchase.ts'

/** The possible faults, as sentences in the details. */
export const TEST_FAULTS = [...ANSWER_FAULTS, 'no_secret', 'other_database', 'not_as_test', 'access_changed'] as const
type TestFault = (typeof TEST_FAULTS)[number]

/** One step of a test. `detail`: its result, and the fix if it failed; `code` names the latter. */
export interface WebhookTestStep {
  step: 'secret' | 'reachable' | 'answer' | 'stored' | 'access'
  ok: boolean
  detail: string
  code?: TestFault
  /** The stored notification of the test. */
  notificationId?: string
}

/** The steps as far as the test got; steps after a failure are left out. */
export interface WebhookTest {
  ok: boolean
  steps: WebhookTestStep[]
}

export type WebhookTestRefusal = { refusal: 'event_of_other_variant' | 'no_such_product' | 'email_malformed' }

/** The content to send. The default buyer's address belongs to nobody (RFC 2606). */
export interface WebhookTestInput {
  variant?: Variant | undefined
  event?: PurchaseEvent | undefined
  product?: string | undefined
  email?: string | undefined
}

export interface WebhookTestDeps {
  storage: Storage
  /** The caller's secrets: the first one signs. */
  secrets: readonly string[]
  /** The address of the running service, without a slash at the end. */
  url: string
  guardedFetch: GuardedFetch
  now: Now
  /** The actor in the audit log. */
  actor: Actor
}

const NOBODY = 'webhook-test@example.com'
const MAX_SUBSCRIPTIONS = 1_000

/** Calls the service itself, whose address, or the one that the operator types, may well be private and plain http. */
export function createOwnCalls(): GuardedFetch {
  return createGuardedFetch({ allowPrivate: [], isDevelopment: true })
}

/**
 * Sends a signed purchase notification that is marked as a test to the running service, over HTTP, and reads the outcome from the database.
 */
export async function testWebhook(input: WebhookTestInput, deps: WebhookTestDeps): Promise<WebhookTest | WebhookTestRefusal> {
  const { storage, now, actor } = deps
  const event = testedEvent(input.variant, input.event)
  if (!event) return { refusal: 'event_of_other_variant' }
  const email = normaliseEmail(input.email ?? NOBODY)
  if (email === undefined) return { refusal: 'email_malformed' }
  const offer = await findTestedOffer(storage.db, input.product)
  if (!offer) return { refusal: 'no_such_product' }
  const steps = await walk(writeTestPurchase(event, offer, { email, at: now() }), email, deps)
  const ok = steps.every((step) => step.ok)
  const after = { variant: variantOf(event), event, ok, steps: steps.map(({ step }) => step) }
  await recordAudit(storage.db, { actor, action: 'webhook.test', target: 'webhook', after }, now())
  return { ok, steps }
}

async function walk(text: string, email: string, { storage, secrets, url, guardedFetch }: WebhookTestDeps): Promise<WebhookTestStep[]> {
  const [secret] = secrets
  if (secret === undefined)
    return [fail('secret', 'no_secret', 'PORTARIA_WEBHOOK_SECRET is not set here: set it to the secret that the sender signs with')]
  const configured = ok('secret', secrets.length > 1 ? 'configured, with a second one while rotating' : 'configured')
  const before = await accessOf(storage.db, email)
  const signature = signPurchase(text, Buffer.from(secret))
  const answer = await callWebhook(url, JSON.stringify({ ...JSON.parse(text), signature }), guardedFetch)
  if (answer.from !== 'portaria') return [configured, fail('reachable', answer.code, answer.says)]
  const reached = [configured, ok('reachable', url)]
  if (!answer.taken) return [...reached, fail('answer', answer.code, `${answer.status} ${answer.says}`)]
  return [
    ...reached,
    ok('answer', `${answer.status} ${answer.says}`),
    await lookForNotification(text, storage.db),
    before === (await accessOf(storage.db, email))
      ? ok('access', `unchanged for ${email}`)
      : fail(
          'access',
          'access_changed',
          `something bought with ${email} has changed meanwhile: see \`portaria webhook list --email ${email}\``,
        ),
  ]
}

async function lookForNotification(text: string, db: Queryable): Promise<WebhookTestStep> {
  const read = parsePurchase(text)
  const hash = sha256Base64Url(text)
  const digest = 'faults' in read ? hash : digestOf(read.purchase, hash)
  const found = await notificationStore(db).findByDigest(PURCHASE_SOURCE, digest)
  if (!found) {
    return fail('stored', 'other_database', 'it was taken, yet is not in this database: the service that answers has another DATABASE_URL')
  }
  const notificationId = found.id
  if (found.status !== 'test') {
    const wrong = fail('stored', 'not_as_test', `stored as ${found.id} with status ${found.status}, and not as a test`)
    return { ...wrong, notificationId }
  }
  return { ...ok('stored', `as ${found.id} with status test`), notificationId }
}

/** All purchases of an address with their states, as one text to compare. */
async function accessOf(db: Queryable, email: string): Promise<string> {
  return JSON.stringify(await subscriptionStore(db).list({ email, limit: MAX_SUBSCRIPTIONS }))
}

function ok(step: WebhookTestStep['step'], detail: string): WebhookTestStep {
  return { step, ok: true, detail }
}

function fail(step: WebhookTestStep['step'], code: TestFault, detail: string): WebhookTestStep {
  return { step, ok: false, detail, code }
}
