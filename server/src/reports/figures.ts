import { REAIS } from './currency.ts'
import { type FigureName, FLOWS, STOCKS } from './entry.ts'

/** Every figure of a period, and what is left of the money: received without what was refunded and lost. Amounts in one currency. */
export type Figures = Record<FigureName | 'net' | 'active', number>

/** The sums of the figures of all currencies together, whose amounts are those of reais alone. */
export function inReais<T extends { currency: string }>(sums: readonly T[]): T[] {
  return sums.filter(({ currency }) => currency === '' || currency === REAIS)
}

/** Adds up the sums of a period. */
export function figuresOf(sums: ReadonlyArray<{ name: FigureName; value: number }>): Figures {
  const figures = Object.fromEntries([...STOCKS, ...FLOWS].map((name) => [name, 0])) as Record<FigureName, number>
  for (const { name, value } of sums) figures[name] += value
  return {
    active: figures.active_paid + figures.active_trial + figures.active_granted,
    ...figures,
    net: figures.received - figures.refunded - figures.lost_in_disputes,
  }
}
