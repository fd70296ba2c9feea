import { isUuid, sha256Base64Url } from '../../kit/index.ts'
import { EVENTS_OF_LINES, type PurchaseFields } from './purchase-form.ts'

/** The same line is the same text, so an import that is run again finds it. */
export function textOf(line: PurchaseFields, { email, productId }: { email: string | undefined; productId: string | undefined }): string {
  const [event, more] = EVENTS_OF_LINES[line.event]
  const data = {
    subscription_id: line.subscription_id ? uuidOf(line.subscription_id) : undefined,
    product_id: productId,
    plan_slug: line.plan || undefined,
    user_email: email,
    user_name: line.name || undefined,
    user_document: line.tax_id || undefined,
    amount: line.amount ?? undefined,
    is_test: false,
    payment_id: line.payment_id ?? undefined,
    period_start: line.period_start ? inFull(line.period_start) : undefined,
    period_end: line.period_end ? inFull(line.period_end) : undefined,
    ...more,
  }
  return JSON.stringify({ event, data, timestamp: inFull(line.at) })
}

/** A day begins in UTC, and a time without a zone is UTC. */
export function inFull(written: string): string {
  return new Date(/T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(written) || !written.includes('T') ? written : `${written}Z`).toISOString()
}

/** The contract's subscriptions have UUIDs: another system's id always becomes the same one (RFC 9562 §5.8). */
function uuidOf(id: string): string {
  if (isUuid(id)) return id.toLowerCase()
  const hex = Buffer.from(sha256Base64Url(`subscription ${id}`), 'base64url').toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export function namesOf({ subscription_id, payment_id }: PurchaseFields, email: string | undefined): string[] {
  return [
    ...(email ? [`email ${email}`] : []),
    ...(subscription_id ? [`subscription ${uuidOf(subscription_id)}`] : []),
    ...(payment_id ? [`payment ${payment_id}`] : []),
  ]
}
