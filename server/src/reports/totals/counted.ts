import type { Entry, FigureName } from '../entry.ts'

/**
 * `lists`: the lists have the stream as well (migration 0023); `prices`: with the rows of 0026; `plans`: by the rules of 0027. Versions
 * without them leave these out.
 */
type Packed = { zone: string; lists?: 1; prices?: 1; plans?: 1; entries: Array<[FigureName, string, string, string, string, number]> }

/** The entries as which a stream was last counted, in the zone of that time. */
export interface Counted {
  zone: string
  entries: readonly Entry[]
}

export function pack({ zone, entries }: Counted): string {
  const packed: Packed = {
    zone,
    lists: 1,
    prices: 1,
    plans: 1,
    entries: entries.map(({ name, day, productId, planId, currency, value }) => [name, day, productId, planId, currency, value]),
  }
  return JSON.stringify(packed)
}

export function unpack(text: string): Counted {
  const { zone, entries } = JSON.parse(text) as Packed
  return {
    zone,
    entries: entries.map(([name, day, productId, planId, currency, value]) => ({ name, day, productId, planId, currency, value })),
  }
}
