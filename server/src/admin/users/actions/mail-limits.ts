import { HOUR_MS, sha256Hex } from '../../../kit/index.ts'
import type { Limit } from '../../../rate-limits/index.ts'
import type { Caller } from '../../api/caller.ts'

/** Mails of any kind in an hour: support sends a few, a stolen session would send thousands. */
const MAX_OF_CALLER = 30
const MAX_TO_USER = 5
const MAX_IMPERSONATIONS = 10
/** As with mails that users request themselves. */
const MAX_TO_ADDRESS = 3

/** An invitation is counted by its address: accounts that are made and removed again have new ids. */
export function limitsOfInvitation(caller: Caller, address: string): Limit[] {
  return [ofCaller(caller), { key: `admin:invite:${sha256Hex(address)}`, most: MAX_TO_ADDRESS, windowMs: HOUR_MS }]
}

/** To one user, by any caller: nobody's mailbox is flooded from here. */
export function limitsOfLink(caller: Caller, userId: string): Limit[] {
  return [ofCaller(caller), { key: `admin:send-link:${userId}`, most: MAX_TO_USER, windowMs: HOUR_MS }]
}

/** Each of them sends a mail to the user. */
export function impersonationLimits(userId: string): Limit[] {
  return [{ key: `admin:impersonate:${userId}`, most: MAX_IMPERSONATIONS, windowMs: HOUR_MS }]
}

function ofCaller({ name }: Caller): Limit {
  return { key: `admin:mails:${name}`, most: MAX_OF_CALLER, windowMs: HOUR_MS }
}
