import { createHmac, randomBytes } from 'node:crypto'
import type { SealedEndpoint } from '../../app-events/index.ts'
import { HOUR_MS, type Sealer } from '../../kit/index.ts'

/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32
const [MIN_BYTES, MAX_BYTES] = [24, 64]
const PREFIX = 'whsec_'

/** After a rotation deliveries are signed with both secrets for this long. */
export const ROTATION_MS = 24 * HOUR_MS

export function mintEndpointSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** Whether a text has the form of a secret of Standard Webhooks. */
export function isEndpointSecret(text: string): boolean {
  const key = Buffer.from(text.slice(PREFIX.length), 'base64')
  return text === PREFIX + key.toString('base64') && key.length >= MIN_BYTES && key.length <= MAX_BYTES
}

/** Both columns have one place, since a rotation moves the value from one to the other. */
export function sealEndpointSecret(secret: string, id: string, sealer: Sealer): string {
  return sealer.seal(secret, `event_endpoints.secret_sealed.${id}`)
}

/** The secrets that sign now, the newest first. */
export function openSecrets(
  { id, secretSealed, previousSealed, previousUntil = 0 }: Pick<SealedEndpoint, 'id' | 'secretSealed' | 'previousSealed' | 'previousUntil'>,
  { sealer, at }: { sealer: Sealer; at: number },
): string[] {
  const sealed = previousSealed !== undefined && at < previousUntil ? [secretSealed, previousSealed] : [secretSealed]
  return sealed.flatMap((one) => sealer.open(one, `event_endpoints.secret_sealed.${id}`) ?? [])
}

/** The header `webhook-signature` of Standard Webhooks: one `v1` for each secret. `at` is in seconds. */
export function signDelivery(secrets: readonly string[], { id, at, body }: { id: string; at: number; body: string }): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`
    })
    .join(' ')
}
