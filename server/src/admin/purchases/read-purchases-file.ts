import { productStore } from '../../products/index.ts'
import { recordPurchase } from '../../purchases/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { OPERATOR_SCOPE, planStore } from '../../subscriptions/index.ts'
import type { ImportRecord, LineRefusal } from '../users/import/files/import-record.ts'
import { type Open, readRecords } from '../users/import/files/read-records.ts'
import { readHotmartRow } from './hotmart.ts'
import { isHotmart } from './hotmart-cells.ts'
import type { HotmartPlan } from './hotmart-plan.ts'
import type { PastEvent } from './past-event.ts'
import { PURCHASE_FIELDS } from './purchase-form.ts'
import { type PurchaseLine, type PurchaseReferences, readPurchaseLine } from './purchase-line.ts'

export interface PurchasesFile {
  lines: PurchaseLine[]
  refused: Array<{ line: number; why: string }>
  /** Absent for our own form. */
  from?: 'hotmart'
}

/** A file is read whole, since lines about one access may stand far apart. */
const MAX_LINES = 1_000_000

/** Reads a file of purchases, in our own form or Hotmart's report of sales. A refusal is about the whole file. */
export async function readPurchasesFile(
  open: Open,
  { plans, db, now }: { plans: ReadonlyMap<string, HotmartPlan>; db: Queryable; now: number },
): Promise<PurchasesFile | LineRefusal> {
  const read = await readRecords(open, { twice: 'first' })
  if ('refused' in read) return read
  const { records, names, isTable } = read
  const from = isTable && isHotmart(names) ? 'hotmart' : undefined
  const unknown = isTable && !from ? names.filter((name) => !PURCHASE_FIELDS.includes(name.toLowerCase())) : []
  if (unknown.length > 0) return { refused: `columns that are not known: ${unknown.slice(0, 5).join(', ').slice(0, 200)}` }
  const references = await readReferences(db)
  const file: PurchasesFile = { lines: [], refused: [], ...(from && { from }) }
  const paid = new Map<string, PurchaseLine>()
  for await (const given of from ? readHotmart(records, plans) : isTable ? typed(records) : records) {
    if (file.lines.length >= MAX_LINES) return { refused: `it has more than ${MAX_LINES} lines: split it` }
    const line = readPurchaseLine(given, references, now)
    const why = 'refused' in line ? line.refused : refuseSecondPayment(line, paid)
    if (why !== undefined) file.refused.push({ line: given.line, why })
    else if (!('refused' in line)) file.lines.push(line)
  }
  return file
}

/** The event of a line. */
export function pastEventOf({ line, at, names, read }: PurchaseLine): PastEvent {
  return {
    line,
    at,
    names,
    async record(tx, deps) {
      const received = await recordPurchase(tx, read, deps)
      if (received.received === 'processed') return { outcome: 'applied', subscriptionId: received.subscriptionId }
      return received.received === 'unresolved' ? { outcome: 'pending', id: received.id, why: received.why } : { outcome: 'known' }
    },
  }
}

/**
 * A payment is made once: a second line about it would give somebody else access, or the same twice. The same line again changes nothing.
 */
function refuseSecondPayment(line: PurchaseLine, paid: Map<string, PurchaseLine>): string | undefined {
  if (line.paidId === undefined) return undefined
  const first = paid.get(line.paidId)
  if (first && first.read.text !== line.read.text) return `payment_id: line ${first.line} has this payment, and says otherwise`
  paid.set(line.paidId, first ?? line)
  return undefined
}

async function readReferences(db: Queryable): Promise<PurchaseReferences> {
  const [products, plans] = [await productStore(db).listNames(), await planStore(db).list()]
  return {
    productIdOf: (slug) => products.find((product) => product.slug === slug)?.id,
    hasPlan: (slug, productId) => plans.some((plan) => plan.slug === slug && (plan.scope === productId || plan.scope === OPERATOR_SCOPE)),
  }
}

async function* readHotmart(records: AsyncIterable<ImportRecord>, plans: ReadonlyMap<string, HotmartPlan>): AsyncGenerator<ImportRecord> {
  for await (const record of records) {
    if ('refused' in record) yield record
    else yield* readHotmartRow(record, plans)
  }
}

/** Cells are texts: the one that is not gets its type. */
async function* typed(records: AsyncIterable<ImportRecord>): AsyncGenerator<ImportRecord> {
  for await (const record of records) {
    if ('refused' in record) yield record
    else {
      const cells = Object.entries(record.value as Record<string, string>).map(([name, cell]) => [name.toLowerCase(), cell])
      const { amount, ...rest } = Object.fromEntries(cells) as Record<string, string>
      const centavos = amount === undefined ? undefined : /^\d{1,12}$/.test(amount) ? Number(amount) : amount
      yield { line: record.line, value: { ...rest, ...(centavos !== undefined && { amount: centavos }) } }
    }
  }
}
