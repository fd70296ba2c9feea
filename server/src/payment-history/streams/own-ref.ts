import { normaliseEmail, plainEmail, sha256Base64Url } from '../../kit/index.ts'
import type { StreamKey } from '../../subscriptions/index.ts'
import type { OwnStream } from '../record/normalized-event.ts'
import type { GatewayStream } from './match-stream.ts'

/** The name of a stream of the own checkout; `undefined` if its buyer's address, as sent, is none. */
export function ownRef(stream: OwnStream, sent: string | undefined): string | undefined {
  if (stream.by === 'own') return stream.ref
  const email = sent === undefined ? undefined : normaliseEmail(sent)
  return sent === undefined || email === undefined ? undefined : `${nameOfBuyer(sent.trim(), email)} ${stream.productId} ${stream.planSlug}`
}

/**
 * The name of a buyer. An address that only folding makes equal to another has a stream of its own: its purchases are no matter of the
 * other buyer's.
 */
function nameOfBuyer(sent: string, email: string): string {
  return plainEmail(sent) === email ? email : `${email} ${sha256Base64Url(sent)}`
}

/** The stream of the own checkout, if the event is its report of a gateway's payment. */
export function ownKey({ own }: GatewayStream, sent: string | undefined): StreamKey[] {
  const ref = own && ownRef(own.stream, sent)
  return own && ref !== undefined ? [{ source: own.source, ref }] : []
}
