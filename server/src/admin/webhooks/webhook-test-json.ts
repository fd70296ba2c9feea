import type { WebhookTest } from './test-webhook.ts'

/** A test in the API's form. */
export function webhookTestJson({ ok, steps }: WebhookTest) {
  return {
    ok,
    steps: steps.map(({ step, ok: isWell, detail, code = null, notificationId = null }) => ({
      step,
      ok: isWell,
      detail,
      code,
      notification_id: notificationId,
    })),
  }
}
