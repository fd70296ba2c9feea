import type { AuditRecord } from '../../audit/index.ts'
import { isoTime } from '../../kit/index.ts'

export function auditJson({ id, at, actor, action, target, before, after, reason, ip }: AuditRecord) {
  return {
    id,
    at: isoTime(at),
    actor,
    action,
    target,
    before: before ?? null,
    after: after ?? null,
    reason: reason ?? null,
    ip: ip ?? null,
  }
}
