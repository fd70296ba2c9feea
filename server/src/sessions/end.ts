import type { Announce } from '../changes/index.ts'
import type { Now } from '../kit/index.ts'
import type { Transaction } from '../storage/index.ts'
import { type OfPasskey, ownSessionStore } from './own-session-store.ts'
import { sessionStore } from './store.ts'

export type EndReason =
  | 'signed_out'
  | 'replaced'
  | 'password_changed'
  | 'disabled'
  | 'operator'
  | 'deleted'
  | 'restored'
  | 'taken_over'
  | 'disowned'
  | 'email_changed'
  | 'deletion_requested'
  | 'ended_by_owner'
  | 'consent_withdrawn'
  | 'passkey_removed'

/** Ends one session and its product sessions; every node refuses them within 2 s. Answers whether any was live. */
export async function endSession(
  tx: Transaction,
  id: string,
  reason: EndReason,
  { announce, now }: { announce: Announce; now: Now },
): Promise<boolean> {
  const ended = await sessionStore(tx).end(id, reason, now())
  for (const subject of ended) announce({ kind: 'session_ended', subject })
  return ended.length > 0
}

/** Ends all of a person's sessions but one, that of the browser which asked for it. */
export async function endOtherSessions(
  tx: Transaction,
  { userId, keep }: { userId: string; keep: string },
  reason: EndReason,
  { announce, now }: { announce: Announce; now: Now },
): Promise<void> {
  await sessionStore(tx).endOthers(userId, keep, reason, now())
  announce({ kind: 'user_changed', subject: userId })
}

/** Ends a person's sessions in one product; the domain's go on. */
export async function endProductSessions(
  tx: Transaction,
  whose: { userId: string; productId: string },
  reason: EndReason,
  { announce, now }: { announce: Announce; now: Now },
): Promise<void> {
  for (const subject of await ownSessionStore(tx).endInProduct(whose, reason, now())) announce({ kind: 'session_ended', subject })
}

/** Ends what a passkey has begun, but for the browser that removes it: whoever had the device is out. */
export async function endPasskeySessions(
  tx: Transaction,
  which: OfPasskey,
  reason: EndReason,
  { announce, now }: { announce: Announce; now: Now },
): Promise<void> {
  for (const subject of await ownSessionStore(tx).endOfPasskey(which, reason, now())) announce({ kind: 'session_ended', subject })
}

/** Ends all sessions of a person. Answers how many were live, those of products among them. */
export async function endSessionsOfUser(
  tx: Transaction,
  userId: string,
  reason: EndReason,
  { announce, now }: { announce: Announce; now: Now },
): Promise<number> {
  const count = await sessionStore(tx).endAll(userId, reason, now())
  announce({ kind: 'user_changed', subject: userId })
  return count
}
