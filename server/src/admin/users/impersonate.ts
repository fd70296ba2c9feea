import { type Actor, recordAudit } from '../../audit/index.ts'
import type { ChangeFeed } from '../../changes/index.ts'
import { isoTime, type Now, type Sealer } from '../../kit/index.ts'
import { type LiveSession, startImpersonation } from '../../sessions/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { mailLanguage, profileStore, queueMail, type User, userStore } from '../../users/index.ts'

/**
 * Why an impersonation is refused: `oneself`; `has_role`, whose power would be lent; `disabled`, whose user can't sign in either;
 * `signed_out`, the administrator's own session or role has gone meanwhile.
 */
export type ImpersonationRefusal = { refusal: 'oneself' | 'has_role' | 'disabled' | 'not_found' | 'signed_out' }

export interface ImpersonationStart {
  userId: string
  administrator: { userId: string; sessionId: string }
  /** The user reads it. */
  reason: string
  origin: { ip: string; userAgent: string }
}

/** Begins an impersonation: a session of its own, an audit entry with both users, and a mail to the user, all or nothing. */
export async function impersonate(
  { userId, administrator, reason, origin }: ImpersonationStart,
  { changes, sealer, now, actor }: { changes: ChangeFeed; sealer: Sealer; now: Now; actor: Actor },
): Promise<{ session: LiveSession; boundSecret: string } | ImpersonationRefusal> {
  if (userId === administrator.userId) return { refusal: 'oneself' }
  return changes.transaction(async (tx, announce) => {
    // Both rows are held, so that of two beginnings one comes after the other, and nobody gets a role or is disabled meanwhile.
    const acts = await userStore(tx).holdById(administrator.userId)
    const user = await userStore(tx).holdById(userId)
    if (acts?.role !== 'owner' || acts.disabledAt !== undefined) return { refusal: 'signed_out' }
    if (!user) return { refusal: 'not_found' }
    if (user.role !== undefined) return { refusal: 'has_role' }
    if (user.disabledAt !== undefined) return { refusal: 'disabled' }
    await profileStore(tx).ensureRow(userId, now())
    const begun = await startImpersonation(tx, { userId, impersonation: administrator, origin }, { announce, now, ip: origin.ip })
    if (!begun) return { refusal: 'signed_out' }
    const after = { session: begun.session.id, until: isoTime(begun.session.expiresAt) }
    await recordAudit(tx, { actor, action: 'user.impersonate', target: userId, after, reason }, now())
    await queueNotice(tx, user, { reason, until: begun.session.expiresAt }, { sealer, at: now() })
    return begun
  })
}

async function queueNotice(
  tx: Transaction,
  user: User,
  { reason, until }: { reason: string; until: number },
  { sealer, at }: { sealer: Sealer; at: number },
): Promise<void> {
  const data = { name: user.name, when: at, until, reason }
  await queueMail(tx, { to: user.email, kind: 'impersonated', data, language: mailLanguage(user) }, { sealer, at })
}
