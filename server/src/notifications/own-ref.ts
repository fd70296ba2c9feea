import { normaliseEmail, plainEmail, sha256Base64Url } from '../kit/index.ts'
import type { LineKey } from '../subscriptions/index.ts'
import type { GatewayLine } from './gateway-line.ts'
import type { OwnLine } from './notification.ts'

/** What a line of the own checkout is called; `undefined` where its buyer's address, as it was sent, is none. */
export function ownRef(line: OwnLine, sent: string | undefined): string | undefined {
  if (line.by === 'own') return line.ref
  const email = sent === undefined ? undefined : normaliseEmail(sent)
  return sent === undefined || email === undefined ? undefined : `${nameOfBuyer(sent.trim(), email)} ${line.productId} ${line.planSlug}`
}

/** An address that was written so that only folding makes it another's is a line of its own: what becomes of its purchases is nothing to that other buyer's. */
function nameOfBuyer(sent: string, email: string): string {
  return plainEmail(sent) === email ? email : `${email} ${sha256Base64Url(sent)}`
}

/** The line of the own checkout, where it tells of a gateway's payment. */
export function ownKey({ own }: GatewayLine, sent: string | undefined): LineKey[] {
  const ref = own && ownRef(own.line, sent)
  return own && ref !== undefined ? [{ source: own.source, ref }] : []
}
