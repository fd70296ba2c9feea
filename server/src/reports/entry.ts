/** Figures that stand at the end of a day: their entries are differences. */
export const STOCKS = ['active_paid', 'active_trial', 'active_granted', 'active_unpriced', 'mrr'] as const
/** Figures of what happened within a day. */
export const FLOWS = [
  'new',
  'returned',
  'lost',
  'plan_changed',
  'payments',
  'payments_without_amount',
  'received',
  'refunds',
  'refunded',
  'disputes',
  'disputed',
  'lost_in_disputes',
] as const

/** Figures of a change of a subscription, whose list can be read. */
export const CHANGES = ['new', 'returned', 'lost', 'plan_changed'] as const satisfies ReadonlyArray<(typeof FLOWS)[number]>

export type ChangeName = (typeof CHANGES)[number]
export type FigureName = (typeof STOCKS)[number] | (typeof FLOWS)[number]

/** Amounts, in the smallest unit of their currency; the others are numbers of things. */
export const AMOUNTS: ReadonlySet<FigureName> = new Set<FigureName>(['mrr', 'received', 'refunded', 'disputed', 'lost_in_disputes'])

/** The part that one stream adds to a figure of a day. */
export interface Entry {
  name: FigureName
  /** In the operator's zone, as `2026-11-20`. */
  day: string
  productId: string
  /** Empty: it is not known. */
  planId: string
  /** The currency of an amount, empty for a number of things. A number of things in another currency alone has that currency. */
  currency: string
  value: number
}

/** Gathers entries: one for each key, without those that come to nothing. */
export function createEntries() {
  const entries = new Map<string, Entry>()
  return {
    add({ value, ...key }: Entry): void {
      const name = JSON.stringify([key.name, key.day, key.productId, key.planId, key.currency])
      const known = entries.get(name)
      if (known) known.value += value
      else entries.set(name, { ...key, value })
    },
    /** In one order, so that no two transactions wait for each other. */
    list(): Entry[] {
      const all = [...entries].sort(([one], [other]) => (one < other ? -1 : 1))
      return all.flatMap(([, entry]) => (entry.value === 0 ? [] : entry))
    },
  }
}

/** The entries by which the sums change when a stream that was counted as `before` comes to `after`. */
export function differenceOf(before: readonly Entry[], after: readonly Entry[]): Entry[] {
  const entries = createEntries()
  for (const entry of before) entries.add({ ...entry, value: -entry.value })
  for (const entry of after) entries.add(entry)
  return entries.list()
}
