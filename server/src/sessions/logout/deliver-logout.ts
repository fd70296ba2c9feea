import { z } from 'zod'
import { recordAudit, SYSTEM } from '../../audit/index.ts'
import type { GuardedFetch } from '../../guarded-fetch/index.ts'
import { FatalJobFault, type JobHandler, TryLater } from '../../outbox/index.ts'
import { productStore } from '../../products/index.ts'
import type { Storage } from '../../storage/index.ts'
import { issueLogoutToken, type LogoutTokenDeps } from './logout-token.ts'

export interface DeliverLogoutDeps extends LogoutTokenDeps {
  storage: Storage
  guardedFetch: GuardedFetch
  /** Called once for each attempt, with the slug of the product. */
  onAttempt: (product: string, result: LogoutResult) => void
}

export type LogoutResult = 'delivered' | 'failed' | 'given_up'

const TIMEOUT_MS = 5_000
/** An app that can't be reached is left alone for a moment: its other notices would take places from apps that answer. */
const PAUSE_MS = 5_000
/** By the back-off, the eleventh attempt is about a day after the first. */
const MAX_ATTEMPTS = 11

/** The kind is left out in jobs about a product's own session, and in all of an earlier version. */
const payload = z.object({ product: z.string(), sub: z.string(), sid: z.string(), kind: z.enum(['domain', 'own']).optional() })

/**
 * The job that notifies an app that a session has ended (Back-Channel Logout 1.0 §2.5). An app may be notified twice. Faults that may pass
 * are tried again for a day: no answer, 5xx and 429. A job that is given up is a dead letter, and audited.
 */
export function deliverLogoutJob(deps: DeliverLogoutDeps): JobHandler {
  const { storage, onAttempt, now } = deps
  return async (given, { attempts, signal }) => {
    const { product: productId, ...session } = payload.parse(given)
    const product = await productStore(storage.db).findById(productId)
    const uri = product?.backchannelLogoutUri
    if (!product || uri === undefined) return // its address was removed meanwhile
    const found = await send(uri, await issueLogoutToken(product, session, deps), signal, deps)
    if (found === 'delivered') return onAttempt(product.slug, 'delivered')
    const isOver = found instanceof FatalJobFault || attempts >= MAX_ATTEMPTS
    onAttempt(product.slug, isOver ? 'given_up' : 'failed')
    if (!isOver) throw found
    const entry = { actor: SYSTEM, action: 'product.logout_undelivered', target: productId, reason: found.message.slice(0, 300) }
    await recordAudit(storage.db, { ...entry, after: { session: session.sid } }, now())
    throw new FatalJobFault(found.message)
  }
}

async function send(
  uri: string,
  token: string,
  signal: AbortSignal,
  { guardedFetch, now }: DeliverLogoutDeps,
): Promise<'delivered' | Error> {
  const answer = await guardedFetch(uri, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({ logout_token: token }).toString(),
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  }).catch((fault: unknown) => new TryLater(`the app can't be reached: ${reasonOf(fault)}`, PAUSE_MS))
  if (answer instanceof TryLater) return answer
  // The status says all. A connection that breaks while the body is dropped changes nothing.
  await answer.body?.cancel().catch(() => {})
  const { status, headers } = answer
  if (status >= 200 && status < 300) return 'delivered'
  const message = `the app answers ${status}`
  if (status === 429) return new TryLater(message, parseRetryAfter(headers.get('retry-after'), now()) ?? PAUSE_MS)
  // A redirect is not followed: the token is for the registered address alone.
  return status >= 500 ? new Error(message) : new FatalJobFault(message)
}

function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return 'unknown fault'
  if (fault.name === 'TimeoutError') return 'no answer in five seconds'
  return fault.cause instanceof Error ? fault.cause.message : fault.message
}

/** Seconds or a date (RFC 9110 §10.2.3), as ms from now. */
function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}
