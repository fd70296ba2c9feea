import type { AuditRecord } from '../audit/index.ts'

/** ISO 8601 in UTC; `null` for a time that is not set. */
export function isoTime(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString()
}

/** An audit entry about a user, for that user: their own address, but neither the name nor the address of anyone else. */
export function auditJson({ at, actor, action, before, after, reason, ip }: AuditRecord, userId: string) {
  const by = actorOf(actor, userId)
  return {
    at: isoTime(at),
    action,
    by,
    ip: by === 'you' ? (ip ?? null) : null,
    before: before ?? null,
    after: after ?? null,
    reason: reason ?? null,
  }
}

function actorOf(actor: string, userId: string): 'you' | 'service' | 'product' | 'operator' {
  if (actor === `user:${userId}`) return 'you'
  if (actor === 'system') return 'service'
  return actor.startsWith('product:') ? 'product' : 'operator'
}
