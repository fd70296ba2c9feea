import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, networkOf } from '../../http/index.ts'
import { HOUR_MS, MINUTE_MS } from '../../kit/index.ts'
import type { GuardDeps } from './guard-deps.ts'

/**
 * Counts a mail before it is sent, each counter within an hour. When there were too many, answers how long to wait and sets `Retry-After`.
 * A mail that one counter refuses is not counted by the next ones: a network past its limit must not use up the limit of an address.
 */
export async function countMail(
  reply: FastifyReply,
  counters: ReadonlyArray<{ key: string; most: number }>,
  { limits, now }: Pick<GuardDeps, 'limits' | 'now'>,
): Promise<{ retryAfterSeconds: number } | undefined> {
  for (const counter of counters) {
    const { within, retryAfterSeconds } = await limits.count({ ...counter, windowMs: HOUR_MS }, now())
    if (within) continue
    reply.header('retry-after', String(retryAfterSeconds))
    return { retryAfterSeconds }
  }
  return undefined
}

/** Of a network in 15 minutes: every login page requests a challenge when it is opened, and a whole office may open it. */
const MAX_PASSKEYS = { sign_in: 600, add: 60 } as const

/** Counts a requested challenge or a shown new key. Answers whether there were too many, with `Retry-After` set. */
export async function countPasskeyWork(
  request: FastifyRequest,
  reply: FastifyReply,
  purpose: keyof typeof MAX_PASSKEYS,
  { limits, now }: Pick<GuardDeps, 'limits' | 'now'>,
): Promise<boolean> {
  const key = `passkey:${purpose}:${networkOf(clientAddress(request))}`
  const { within, retryAfterSeconds } = await limits.count({ key, most: MAX_PASSKEYS[purpose], windowMs: 15 * MINUTE_MS }, now())
  if (!within) reply.header('retry-after', String(retryAfterSeconds))
  return !within
}
