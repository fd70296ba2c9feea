import { normaliseEmail } from '../../kit/index.ts'
import { parsePurchase, type ReadPurchase } from '../../purchases/index.ts'
import type { ImportRecord, LineRefusal } from '../users/import/files/import-record.ts'
import { purchaseForm, shapeFault } from './purchase-form.ts'
import { inFull, namesOf, textOf } from './purchase-text.ts'

/** A line of a file, as a notification of the own checkout. */
export interface PurchaseLine {
  line: number
  /** The buyer's address in normal form; `undefined` where the line names only the subscription. */
  email: string | undefined
  /** The names that it shares with other lines about the same access. Such lines are processed together, in the order of their times. */
  names: string[]
  at: number
  /** The payment that the line says was made. */
  paidId: string | undefined
  read: ReadPurchase
}

const MAX_AHEAD_MS = 10 * 60_000
const LATEST = Date.UTC(9_998, 0)

/** Finds the products and plans that lines refer to by slug. */
export interface PurchaseReferences {
  productIdOf(slug: string): string | undefined
  hasPlan(slug: string, productId: string | undefined): boolean
}

/** Reads a record, or says why it can't be a purchase. The answer quotes nothing of the record but names of fields. */
export function readPurchaseLine(given: ImportRecord, references: PurchaseReferences, now: number): PurchaseLine | LineRefusal {
  if ('refused' in given) return given
  const shaped = purchaseForm.safeParse(given.value)
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
