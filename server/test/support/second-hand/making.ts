import { DAY, type Delivery, type Fact } from './facts.ts'

/** Purchases are made between these. */
export const BEGIN = Date.UTC(2026, 7, 1, 3)
export const END = Date.UTC(2026, 10, 28, 3)

/** Midnights of several zones: where months begin, and where clocks are changed. */
const MIDNIGHTS = ['2026-08-01', '2026-09-01', '2026-10-01', '2026-11-01', '2026-09-06', '2026-09-27', '2026-10-31'].flatMap((day) =>
  [3, 0, 4, 11, -5.5, 5, 12].map((hours) => Date.parse(day) + (hours / 24) * DAY),
)

/** A fact without what is the same for all. */
export type Said = Omit<Fact, 'id' | 'at' | 'by'> & { id?: string }

/** One purchase that is being made up. */
export type Making = ReturnType<typeof newMaking>

export function newMaking(name: string, seed: number) {
  const chance = chanceOf(seed)
  const deliveries: Delivery[] = []
  const used = new Set<number>()
  const making = {
    chance,
    name,
    email: `${name}@example.com`,
    deliveries,
    /** Times are multiples of so many ms. */
    unit: 1_000,
    /** Whether all comes at once, so that the operator acts on what has happened. */
    isPrompt: chance.likely(0.5),
    /** Nothing of the purchase is known before this fact is. */
    opensWith: undefined as string | undefined,
    /** A time between two others, often where a month turns. No two are in one second. */
    moment: (from: number, to: number): number => {
      const turns = MIDNIGHTS.filter((turn) => turn >= from && turn <= to)
      const isTurn = turns.length > 0 && chance.likely(0.3)
      let at = isTurn ? chance.pick(turns) + chance.pick([-1, 0, 0, 0, 1]) * making.unit : chance.between(from, Math.max(from, to))
      at -= at % making.unit
      while (used.has(Math.floor(at / 1000))) at += 1_000
      used.add(Math.floor(at / 1000))
      return at
    },
    /** What somebody reports or does at a time, and what that says. A report arrives then or later, perhaps twice. */
    send: (from: Fact['by'], at: number, body: object, fact?: Said): void => {
      const facts = fact ? [{ id: `${from} ${fact.kind} ${at}`, at, by: from, ...fact }] : []
      const isLate = !making.isPrompt && chance.likely(0.25)
      const due = at + (isLate ? chance.between(DAY / 24, chance.pick([3, 35]) * DAY) : chance.between(0, 30_000))
      const again = chance.likely(0.12) ? [due + chance.between(0, 20 * DAY)] : []
      const arrivals = from === 'operator' ? [at] : [due, ...again].map((each) => Math.min(each, END - 1))
      for (const each of arrivals) deliveries.push({ due: each, from, body, facts })
    },
  }
  return making
}

/** Numbers that look like chance, and are the same for the same seed. */
export function chanceOf(seed: number) {
  let state = Math.imul(seed, 2_654_435_761) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  /** Both ends included. */
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const pick = <Item>(items: readonly Item[]) => items[between(0, items.length - 1)] as Item
  return { between, pick, likely: (share: number) => next() < share }
}
