import { z } from 'zod'
import type { ChangeFeed } from '../../changes/index.ts'
import { HOUR_MS, type Now, type Sealer, sha256Base64Url } from '../../kit/index.ts'
import { endSession, type LiveSession, sessionStore } from '../../sessions/index.ts'
import type { Storage } from '../../storage/index.ts'

/** The administrator's original session, as their browser keeps it during an impersonation. */
export interface OriginalSession {
  administratorId: string
  /** Of the original session's bound cookie. */
  boundSecret: string
  impersonationSessionId: string
  /** The impersonated user. */
  userId: string
  /** The end of the impersonation, in ms. */
  until: number
}

/** The original session can be restored this long after the beginning: an impersonation lasts 15 minutes, and a lunch may follow. */
export const ORIGINAL_SESSION_MS = HOUR_MS
const PLACE = 'impersonation'

const sealedOriginalSession = z.object({ o: z.string(), b: z.string(), s: z.string(), u: z.uuid(), t: z.number(), x: z.number() })

export function sealOriginalSession(original: OriginalSession, { sealer, now }: { sealer: Sealer; now: Now }): string {
  const { administratorId: o, boundSecret: b, impersonationSessionId: s, userId: u, until: t } = original
  return sealer.seal(
    JSON.stringify({ o, b, s, u, t, x: now() + ORIGINAL_SESSION_MS } satisfies z.input<typeof sealedOriginalSession>),
    PLACE,
  )
}

/** `undefined` for one that was altered, is expired, or was not sealed by us. */
export function openOriginalSession(
  sealed: string | undefined,
  { sealer, now }: { sealer: Sealer; now: Now },
): OriginalSession | undefined {
  const text = sealed === undefined ? undefined : sealer.open(sealed, PLACE)
  const parsed = text === undefined ? undefined : sealedOriginalSession.safeParse(JSON.parse(text))
  if (!parsed?.success || parsed.data.x <= now()) return undefined
  const { o, b, s, u, t } = parsed.data
  return { administratorId: o, boundSecret: b, impersonationSessionId: s, userId: u, until: t }
}

/** The original session, while it is live. */
export async function findOwnSession(
  { administratorId, boundSecret }: OriginalSession,
  { storage, now }: { storage: Storage; now: Now },
): Promise<LiveSession | undefined> {
  const own = await sessionStore(storage.db).findLiveByBoundHash(sha256Base64Url(boundSecret), now())
  return own?.userId === administratorId && !own.impersonation ? own : undefined
}

/** Ends the impersonation, if nothing else has, and answers the original session if it is still live. */
export async function restoreOriginalSession(
  original: OriginalSession,
  deps: { storage: Storage; changes: ChangeFeed; now: Now; ip: string },
): Promise<LiveSession | undefined> {
  const { changes, now, ip } = deps
  const reason = now() < original.until ? 'impersonation_stopped' : 'impersonation_expired'
  await changes.transaction((tx, announce) => endSession(tx, original.impersonationSessionId, reason, { announce, now, ip }))
  return findOwnSession(original, deps)
}
