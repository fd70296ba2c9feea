import type { Page, PageAfter } from '../../storage/index.ts'

/** One page of a list that is read whole: it holds what the operator makes by hand, so dozens. `placeOf` is its order. */
export function pageOfShort<T>(all: readonly T[], { direction, after, limit }: Page, placeOf: (one: T) => PageAfter): T[] {
  const sign = direction === 'asc' ? 1 : -1
  return all
    .map((one) => ({ one, place: placeOf(one) }))
    .filter(({ place }) => after === undefined || sign * compare(place, after) > 0)
    .toSorted((a, b) => sign * compare(a.place, b.place))
    .slice(0, limit)
    .map(({ one }) => one)
}

/** Whether one of these texts contains the search term; case and accents do not matter. */
export function holds(texts: readonly string[], searched: string): boolean {
  const wanted = folded(searched)
  return texts.some((text) => folded(text).includes(wanted))
}

function compare(a: PageAfter, b: PageAfter): number {
  if (a.value !== b.value) return a.value < b.value ? -1 : 1
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1
}

function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
