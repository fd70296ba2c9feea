import { type Entry, type FigureName, STOCKS } from '../entry.ts'

/**
 * The name of a figure's sums of whole months. A figure at the end of a day is a sum from the first day on, so months that are over are
 * added up once, under names of their own.
 */
export function nameOfMonths(name: FigureName): string {
  return `months:${name}`
}

type Summed = Omit<Entry, 'name'> & { name: string }

export function monthsOf(entries: readonly Entry[]): Summed[] {
  const months = new Map<string, Summed>()
  for (const entry of entries) {
    if (!STOCKS.some((name) => name === entry.name)) continue
    const month = { ...entry, name: nameOfMonths(entry.name), day: entry.day.slice(0, 7) }
    const key = JSON.stringify([month.name, month.day, month.productId, month.planId, month.currency])
    const known = months.get(key)
    if (known) known.value += entry.value
    else months.set(key, month)
  }
  return [...months.values()]
}
