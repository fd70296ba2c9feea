import { z } from 'zod'
import { isUuid, normaliseEmail, sha256Base64Url } from '../../kit/index.ts'
import { parsePurchase, type ReadPurchase } from '../../purchases/index.ts'
import type { ImportRecord, LineRefusal } from '../users/import/files/import-record.ts'

/** A line of a file, as a notification of the own checkout. */
export interface PurchaseLine {
  line: number
  /** The buyer's address in normal form; `undefined` where the line names only the subscription. */
  email: string | undefined
  /** What it shares with other lines about the same access: they are worked on together, in the order of their times. */
  names: string[]
  at: number
  /** The payment that the line says was made. */
  paidId: string | undefined
  read: ReadPurchase
}

/** What a line may say happened, as the contract of the own checkout has it. */
const EVENTS = {
  paid: ['subscription.renewed', {}],
  canceled: ['subscription.canceled', {}],
  ended: ['subscription.ended', {}],
  payment_failed: ['payment.failed', {}],
  refunded: ['payment.refunded', {}],
  partially_refunded: ['payment.refunded', { is_partial: true }],
  disputed: ['payment.disputed', {}],
  dispute_won: ['payment.disputed', { outcome: 'won' }],
  dispute_lost: ['payment.disputed', { outcome: 'lost' }],
} as const
type Event = keyof typeof EVENTS

export const PURCHASE_FIELDS = [
  ...['event', 'at', 'email', 'name', 'tax_id', 'product', 'plan', 'payment_id', 'subscription_id'],
  ...['amount', 'period_start', 'period_end'],
]

const text = z.string().trim().max(500).nullish()
const time = z.iso.datetime({ offset: true, local: true }).or(z.iso.date())
const record = z.strictObject({
  event: z.enum(Object.keys(EVENTS) as [Event, ...Event[]]).default('paid'),
  at: time,
  email: text,
  name: text,
  tax_id: text,
  product: text,
  plan: text,
  payment_id: z
    .string()
    .regex(/^[!-~]{1,200}$/)
    .nullish(),
  subscription_id: text,
  amount: z.int().nonnegative().nullish(),
  period_start: time.nullish(),
  period_end: time.nullish(),
})

const MAX_AHEAD_MS = 10 * 60_000
const LATEST = Date.UTC(9_998, 0)

/** What lines refer to by slug. */
export interface PurchaseReferences {
  productIdOf(slug: string): string | undefined
  hasPlan(slug: string, productId: string | undefined): boolean
}

/** Reads a record, or says why it can't be a purchase. The answer quotes nothing of the record but names of fields. */
export function readPurchaseLine(given: ImportRecord, references: PurchaseReferences, now: number): PurchaseLine | LineRefusal {
  if ('refused' in given) return given
  const shaped = record.safeParse(given.value)
  if (!shaped.success) return { refused: shapeFault(shaped.error) }
  const line = shaped.data
  const email = line.email ? normaliseEmail(line.email) : undefined
  if (line.email && email === undefined) return { refused: 'email: it is no address' }
  const productId = line.product ? references.productIdOf(line.product) : undefined
  if (line.product && productId === undefined) return { refused: 'product: there is no such product' }
  const at = Date.parse(inFull(line.at))
  const end = line.period_end ? Date.parse(inFull(line.period_end)) : undefined
  if (at > now + MAX_AHEAD_MS) return { refused: 'at: it is in the future' }
  if (end !== undefined && end >= LATEST) return { refused: 'period_end: it is too far away' }
  if (line.event === 'paid' && !(line.plan && references.hasPlan(line.plan, productId))) return { refused: NO_PLAN }
  if (line.event === 'paid' && email === undefined) return { refused: 'email: a payment needs its buyer' }
  if (line.event === 'paid' && !line.payment_id) return { refused: 'payment_id: a payment needs its id' }
  if (!line.subscription_id && !(email && productId && line.plan))
    return { refused: 'subscription_id: without it a line needs email, product and plan' }
  const written = textOf(line, { email, productId })
  const read = parsePurchase(written)
  if ('faults' in read) return { refused: read.faults.join(', ') }
  const names = namesOf(line, email)
  return {
    line: given.line,
    email,
    names,
    at,
    paidId: line.event === 'paid' ? (line.payment_id ?? undefined) : undefined,
    read: { ...read, text: written },
  }
}

const NO_PLAN = "plan: there is no such plan: see `portaria plan list`; a product's own plan needs product"

type Line = z.output<typeof record>

/** The same line is the same text, so an import that is run again finds it. */
function textOf(line: Line, { email, productId }: { email: string | undefined; productId: string | undefined }): string {
  const [event, more] = EVENTS[line.event]
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
function inFull(written: string): string {
  return new Date(/T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(written) || !written.includes('T') ? written : `${written}Z`).toISOString()
}

/** The contract's subscriptions have UUIDs: another system's id always becomes the same one (RFC 9562 §5.8). */
function uuidOf(id: string): string {
  if (isUuid(id)) return id.toLowerCase()
  const hex = Buffer.from(sha256Base64Url(`subscription ${id}`), 'base64url').toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function namesOf({ subscription_id, payment_id }: Line, email: string | undefined): string[] {
  return [
    ...(email ? [`email ${email}`] : []),
    ...(subscription_id ? [`subscription ${uuidOf(subscription_id)}`] : []),
    ...(payment_id ? [`payment ${payment_id}`] : []),
  ]
}

function shapeFault({ issues }: z.ZodError): string {
  const [issue] = issues
  if (issue?.code === 'unrecognized_keys') return `fields that are not known: ${issue.keys.slice(0, 5).join(', ').slice(0, 200)}`
  const field = String(issue?.path[0] ?? '')
  return field === '' ? 'it is no JSON object' : `${field}: it is missing or of another form`
}
