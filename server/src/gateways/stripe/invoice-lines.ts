import { idAt, isSetAt, listAt, numberAt, timeAt } from './object.ts'
import { refsOfLine } from './to-event.ts'

/** A line of an invoice that pays for a period, in ms. */
export interface PaidLine {
  line: unknown
  start: number
  end: number
}

/**
 * The things that an invoice pays for, with their ends, each once: the earliest end first, as it is the day of the next invoice.
 * `undefined` where no line has a period. The rest of a period after a change of plan counts where nothing else is billed; metered usage
 * counts where nothing is paid ahead. Credits for the time of an old plan do not count.
 */
export function periodsOf(invoice: unknown, subscriptionId: string): [PaidLine, ...PaidLine[]] | undefined {
  const last = new Map<string, PaidLine>()
  for (const one of countingLines(invoice, subscriptionId)) {
    const known = last.get(nameOf(one))
    if (!known || one.end > known.end || (one.end === known.end && one.start < known.start)) last.set(nameOf(one), one)
  }
  const [first, ...rest] = [...last.values()].sort((a, b) => a.end - b.end || a.start - b.start)
  return first && [first, ...rest]
}

/** The lines whose periods count: see `periodsOf`. Of several changes that are billed together it is the last one of each item. */
export function countingLines(invoice: unknown, subscriptionId: string): readonly PaidLine[] {
  const lines = linesOf(invoice, subscriptionId)
    .map((line) => ({ line, start: timeAt(line, 'period', 'start') ?? 0, end: timeAt(line, 'period', 'end') ?? 0 }))
    .filter(({ start, end }) => end > start)
  const created = timeAt(invoice, 'created') ?? 0
  const isOutdated = outdatedIn(invoice)
  const current = preferred(lines, ({ line }) => !isOutdated(line))
  return preferred(
    preferred(current, ({ line }) => !isProration(line)),
    ({ end }) => end > created,
  )
}

/** The preferred items of a list if there are any, else all. */
function preferred<T>(all: readonly T[], isPreferred: (one: T) => boolean): readonly T[] {
  const some = all.filter(isPreferred)
  return some.length > 0 ? some : all
}

function nameOf({ line }: PaidLine): string {
  return refsOfLine(line).join(' ')
}

/** The rest of a period, after a change of plan in it. */
export function isProration(line: unknown): boolean {
  return (
    isSetAt(line, 'parent', 'subscription_item_details', 'proration') ||
    isSetAt(line, 'parent', 'invoice_item_details', 'proration') ||
    isSetAt(line, 'proration')
  )
}

/** Whether a line is the rest of a period that a later change, billed with it, has credited again. */
function outdatedIn(invoice: unknown): (line: unknown) => boolean {
  const beginOf = (line: unknown) => timeAt(line, 'period', 'start') ?? 0
  const newest = new Map<string, number>()
  for (const line of listAt(invoice, 'lines').filter(isProration))
    newest.set(itemOf(line), Math.max(newest.get(itemOf(line)) ?? 0, beginOf(line)))
  return (line) => isProration(line) && beginOf(line) < (newest.get(itemOf(line)) ?? 0)
}

/** An item keeps its id when its price changes. A line of an invoice item names its price alone. */
function itemOf(line: unknown): string {
  const id = idAt(line, 'parent', 'subscription_item_details', 'subscription_item') ?? idAt(line, 'subscription_item')
  return id ?? refsOfLine(line).join(' ')
}

/** The amount of a line less its discounts. A credit has 0. */
export function netOf(line: unknown): number {
  const discounts = listAt(line, 'discount_amounts').map((discount) => numberAt(discount, 'amount') ?? 0)
  return Math.max(
    0,
    discounts.reduce((rest, discount) => rest - discount, numberAt(line, 'amount') ?? 0),
  )
}

/** The lines that are no credit; of a subscription, where one is named. */
export function linesOf(invoice: unknown, subscriptionId: string | undefined): readonly unknown[] {
  const bought = listAt(invoice, 'lines').filter((line) => (numberAt(line, 'amount') ?? 0) >= 0)
  return subscriptionId ? bought.filter((line) => subscriptionOfLine(line) === subscriptionId) : bought
}

function subscriptionOfLine(line: unknown): string | undefined {
  return (
    idAt(line, 'parent', 'subscription_item_details', 'subscription') ??
    idAt(line, 'parent', 'invoice_item_details', 'subscription') ??
    idAt(line, 'subscription') ??
    idAt(line, 'id') // before 2019-12-03 a line had its subscription's id
  )
}
