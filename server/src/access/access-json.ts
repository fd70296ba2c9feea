import { isoTime } from '../kit/index.ts'
import type { AccessAnswer } from './access-answer.ts'

/** An answer as it is sent, and as endpoints hear of it. */
export function accessJson({ active, status, reason, planSlug, currentPeriodEnd, graceUntil }: AccessAnswer) {
  return {
    active,
    status,
    reason,
    plan_slug: planSlug ?? null,
    current_period_end: isoTime(currentPeriodEnd),
    grace_until: isoTime(graceUntil),
  }
}
