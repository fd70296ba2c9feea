import { createHmac, randomBytes } from 'node:crypto'
import type { SealedEndpoint } from '../../app-events/index.ts'
import { HOUR_MS, type Sealer } from '../../kit/index.ts'

/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32
const [MIN_BYTES, MAX_BYTES] = [24, 64]
const PREFIX = 'whsec_'

/** After a rotation deliveries are signed with the secret before as well for this long. */
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
const placeOf = (id: string) => `event_endpoints.secret_sealed.${id}`

export function sealEndpointSecret(secret: string, id: string, sealer: Sealer): string {
  return sealer.seal(secret, placeOf(id))
}

type Secrets = Pick<SealedEndpoint, 'id' | 'secretSealed' | 'previousSealed' | 'previousUntil'>

/** A secret that another one has followed, and until when it signs (ms). */
export interface EarlierSecret {
  secret: string
  until: number
}

/** The secrets that sign now, the newest first. */
export function openSecrets(endpoint: Secrets, { sealer, at }: { sealer: Sealer; at: number }): string[] {
  const current = sealer.open(endpoint.secretSealed, placeOf(endpoint.id))
  return [...(current === undefined ? [] : [current]), ...openEarlier(endpoint, { sealer, at }).map(({ secret }) => secret)]
}

/** The earlier secrets that still sign, the newest first. */
export function openEarlier(
  { id, previousSealed, previousUntil = 0 }: Omit<Secrets, 'secretSealed'>,
  { sealer, at }: { sealer: Sealer; at: number },
): EarlierSecret[] {
  const text = previousSealed === undefined ? undefined : sealer.open(previousSealed, placeOf(id))
  if (text === undefined) return []
  return text
    .split(' ')
    .map((one) => one.split('@'))
    .map(([secret = '', until]) => ({ secret, until: until === undefined ? previousUntil : Number(until) }))
    .filter(({ until }) => at < until)
}

/**
 * One sealed text for several: `secret secret@until secret@until`. The newest stands there without its end, which is the column's: an older
 * node beside this one reads a text of one as ever. It makes one wrong signature of more, or that of the newest.
 */
export function sealEarlier([newest, ...older]: readonly [EarlierSecret, ...EarlierSecret[]], id: string, sealer: Sealer): string {
  return sealEndpointSecret([newest.secret, ...older.map(({ secret, until }) => `${secret}@${until}`)].join(' '), id, sealer)
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
