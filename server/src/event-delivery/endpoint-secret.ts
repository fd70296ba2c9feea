import { randomBytes } from 'node:crypto'
import { HOUR_MS, type Sealer } from '../kit/index.ts'

/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32
const PREFIX = 'whsec_'

/** After a rotation deliveries are signed with both secrets for this long. */
export const ROTATION_MS = 24 * HOUR_MS

export function mintEndpointSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** Both columns have one place, since a rotation moves the value from one to the other. */
export function sealEndpointSecret(secret: string, id: string, sealer: Sealer): string {
  return sealer.seal(secret, `event_endpoints.secret_sealed.${id}`)
}
