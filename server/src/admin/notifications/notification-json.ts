import { isoTime } from '../../kit/index.ts'
import type { Notification, ShownAttempt } from '../../notifications/index.ts'

export function notificationJson({ id, source, event, status, subject, receivedAt, mismatch }: Notification) {
  return {
    id,
    source,
    event,
    status,
    subject: subject ?? null,
    received_at: isoTime(receivedAt),
    paid_amount: mismatch?.paid ?? null,
    plan_price: mismatch?.price ?? null,
  }
}

export function notificationDetailsJson(notification: Notification) {
  const { why, subscriptionId, processedAt, payload } = notification
  return {
    ...notificationJson(notification),
    why: why ?? null,
    payload: payloadOf(payload),
    subscription_id: subscriptionId ?? null,
    processed_at: isoTime(processedAt),
  }
}

/** The sent body: as JSON if it is JSON, else as text. */
export function payloadOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export function notificationAttemptJson({ kind, at, ms, outcome, why, actor }: ShownAttempt) {
  return { kind, at: isoTime(at), ms: ms ?? null, outcome: outcome ?? null, why: why ?? null, actor: actor ?? null }
}
