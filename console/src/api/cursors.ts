/** The beginnings of a list's pages: the service uses cursors, react-admin page numbers. */
export interface Cursors {
  /** The cursor of a page: `null` for the first, `undefined` while unknown. */
  find(list: string, page: number): string | null | undefined
  /** The last page with a known beginning, `page` at most. */
  nearest(list: string, page: number): number
  remember(list: string, page: number, next: string | null): void
  forget(list: string): void
}

/** Lists seen before this many others are forgotten: their pages are found again from the first one on. */
const MAX_LISTS = 100

export function createCursors(): Cursors {
  const lists = new Map<string, Map<number, string>>()
  const find = (list: string, page: number) => (page <= 1 ? null : lists.get(list)?.get(page))
  return {
    find,
    nearest(list, page) {
      let known = page
      while (find(list, known) === undefined) known -= 1
      return known
    },
    remember(list, page, next) {
      const pages = lists.get(list) ?? new Map<number, string>()
      lists.delete(list)
      lists.set(list, pages)
      if (next === null) for (const later of [...pages.keys()].filter((number) => number > page)) pages.delete(later)
      else pages.set(page + 1, next)
      for (const oldest of [...lists.keys()].slice(0, -MAX_LISTS)) lists.delete(oldest)
    },
    forget: (list) => void lists.delete(list),
  }
}
