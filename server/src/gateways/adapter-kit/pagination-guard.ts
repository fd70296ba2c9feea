/** No shop has as many: at the smallest page size, hundreds of thousands of payments. */
const MAX_PAGES = 10_000

/**
 * Watches over a list that is read page by page, by a key of each page. Throws where a page repeats, or the list does not end: a silent
 * stop would look as if everything had been read.
 */
export function paginationGuard(): (page: string) => void {
  const seen = new Set<string>()
  return (page) => {
    if (seen.has(page)) throw new Error('the list of the gateway comes to the same page twice, and so to no end')
    if (seen.size === MAX_PAGES) throw new Error(`the list of the gateway has more than ${MAX_PAGES} pages: begin later`)
    seen.add(page)
  }
}
