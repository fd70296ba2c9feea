import { BoundedMap } from '../bounded-map.ts'
import { PortariaError } from '../error.ts'
import { type Json, numberAt, textAt } from '../http/json.ts'
import type { Settings } from '../settings.ts'
import { lastEvents } from './process-memory.ts'
import type { Service } from './service.ts'
import { firstOf, TIMEOUT_AFTER_FAULT_MS, TIMEOUT_MS } from './timeout.ts'

const STATUSES = ['none', 'pending', 'active', 'past_due', 'canceled', 'expired', 'refunded', 'disputed'] as const
const GRANTED = ['paid', 'in_grace', 'paid_until_period_end'] as const
const DENIED = [
  'no_subscription',
  'payment_pending',
  'past_due',
  'expired',
  'canceled',
  'refunded',
  'disputed',
  'linked_to_another_user',
] as const

/** Why someone may use the product, or not. */
export type AccessReason = GrantedReason | DeniedReason
export type GrantedReason = (typeof GRANTED)[number]
export type DeniedReason = (typeof DENIED)[number]

export type SubscriptionStatus = (typeof STATUSES)[number]

interface Entitlement {
  status: SubscriptionStatus
  planSlug: string | null
  /** The paid end; `null` if none is stated. */
  currentPeriodEnd: Date | null
  /** The end of access after a failed payment. */
  graceUntil: Date | null
}

/** Whether someone may use this product, as far as Portaria knows. An app with its own checkout should also ask its own payment records. */
export type Access = ({ active: true; reason: GrantedReason } | { active: false; reason: DeniedReason }) & Entitlement

/**
 * The user whose access is asked for: by the id of a session's user or this app's own, by an address that this app has verified itself, or
 * by both. The first call that gives both links them, for good. A session's `email` may be unverified, and the id of its user is enough. A
 * `null`, as a user's address can be, counts as missing; without either, `checkAccess` throws.
 */
export type AccessQuery =
  | { userId: string | null; email?: string | null | undefined }
  | { userId?: string | null | undefined; email: string | null }

interface Granted {
  /** Copied for each caller, since a caller could change a date. */
  answer: Json
  at: number
  /** Portaria did not answer the last call. */
  hasFailed: boolean
}

const GRACE_MS = 600_000

/**
 * `GET /api/saas/check-access`. A grant is remembered for `accessSeconds`, and for ten minutes while Portaria can't be asked, unless that
 * is 0: then nobody waits for it. A denial is never remembered, since the user may pay at any moment. Throws `PortariaError` without an
 * answer.
 */
export function createAccess(settings: Settings, service: Service): (query: AccessQuery) => Promise<Access> {
  const { apiKey, accessMs, now } = settings
  const granted = new BoundedMap<string, Granted>()
  const asking = new Map<string, Promise<Json>>()
  const isWithin = (ms: number, known: Granted | undefined) => known !== undefined && known.at <= now() && now() < known.at + ms

  async function ask(key: string, given: AccessQuery): Promise<Json> {
    if (apiKey === undefined) throw new PortariaError('configuration', 'PORTARIA_API_KEY is missing: checkAccess needs it')
    const query = new URLSearchParams()
    for (const [name, value] of [['user_id', given.userId] as const, ['email', given.email] as const])
      if (typeof value === 'string') query.set(name, value)
    if (`${query}` === '') throw new PortariaError('invalid_request', 'checkAccess needs a userId or an email')
    try {
      const answer = await service.ask(`/api/saas/check-access?${query}`)
      if (parseAccess(answer).active && accessMs > 0) granted.set(key, { answer, at: now(), hasFailed: false })
      else granted.delete(key)
      return answer
    } catch (fault) {
      const known = granted.get(key)
      if (!(fault instanceof PortariaError) || fault.code !== 'unavailable') granted.delete(key)
      if (!known || !granted.get(key)) throw fault
      known.hasFailed = true
      known.at = Math.min(known.at, now()) // the clock may have been set back
      if (isWithin(GRACE_MS, known)) return known.answer
      throw fault
    }
  }

  return async (query) => {
    // With the last event about the user: what was asked for before it counts no longer.
    const key = JSON.stringify([query.userId, query.email, lastEvents.get(query.userId ?? '')])
    const known = granted.get(key)
    if (known && isWithin(accessMs, known)) return parseAccess(known.answer)
    const pending = asking.get(key)
    if (pending !== undefined) return parseAccess(await pending)
    const asked = ask(key, query).finally(() => asking.delete(key))
    const timeouts = known?.hasFailed ? TIMEOUT_AFTER_FAULT_MS : TIMEOUT_MS
    const answer = known && isWithin(GRACE_MS, known) ? firstOf(asked, known.answer, timeouts) : asked
    asking.set(key, answer)
    return parseAccess(await answer)
  }
}

/** An answer of `check-access`, and the data of an event. Throws `PortariaError` for anything else. */
export function parseAccess(answer: Json): Access {
  const status = STATUSES.find((one) => one === answer.status)
  if (status) {
    const entitlement = {
      status,
      planSlug: textAt(answer, 'plan_slug'),
      currentPeriodEnd: dateAt(answer, 'current_period_end'),
      graceUntil: dateAt(answer, 'grace_until'),
    }
    const reason = answer.active === true ? GRANTED.find((one) => one === answer.reason) : undefined
    if (reason) return Object.freeze({ active: true, reason, ...entitlement })
    const refused = answer.active === false ? DENIED.find((one) => one === answer.reason) : undefined
    if (refused) return Object.freeze({ active: false, reason: refused, ...entitlement })
  }
  throw new PortariaError('unavailable', 'Portaria answers no access')
}

function dateAt(answer: Json, key: string): Date | null {
  const value = numberAt(answer, key) ?? textAt(answer, key)
  const date = value === null ? undefined : new Date(value)
  return date && !Number.isNaN(date.getTime()) ? date : null
}
