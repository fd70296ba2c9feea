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
  const lines = linesOf(invoice, subscriptionId)
    .map((line) => ({ line, start: timeAt(line, 'period', 'start') ?? 0, end: timeAt(line, 'period', 'end') ?? 0 }))
    .filter(({ start, end }) => end > start)
  const created = timeAt(invoice, 'created') ?? 0
  const counting = preferred(
    preferred(lines, ({ line }) => !isProration(line)),
    ({ end }) => end > created,
  )
  const last = new Map<string, PaidLine>()
  for (const one of counting) {
    const known = last.get(nameOf(one))
    if (!known || one.end > known.end || (one.end === known.end && one.start < known.start)) last.set(nameOf(one), one)
  }
  const [first, ...rest] = [...last.values()].sort((a, b) => a.end - b.end || a.start - b.start)
  return first && [first, ...rest]
}

/** The preferred items of a list if there are any, else all. */
function preferred<T>(all: readonly T[], isPreferred: (one: T) => boolean): readonly T[] {
  const some = all.filter(isPreferred)
  return some.length > 0 ? some : all
}

function nameOf({ line }: PaidLine): string {
  return refsOfLine(line).join(' ')
}

function isProration(line: unknown): boolean {
  return (
    isSetAt(line, 'parent', 'subscription_item_details', 'proration') ||
    isSetAt(line, 'parent', 'invoice_item_details', 'proration') ||
    isSetAt(line, 'proration')
  )
}

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
