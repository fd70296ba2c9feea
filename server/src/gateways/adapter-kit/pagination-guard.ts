/** No shop comes near: at the fewest a page, hundreds of thousands of payments. */
const MAX_PAGES = 10_000

/**
 * Watches over a list that is read page by page, told what tells each page from the others. Throws where one comes again, or there is no
 * end to them: to stop without a word would look as if everything had been read.
 */
export function paginationGuard(): (page: string) => void {
  const seen = new Set<string>()
  return (page) => {
    if (seen.has(page)) throw new Error('the list of the gateway comes to the same page twice, and so to no end')
    if (seen.size === MAX_PAGES) throw new Error(`the list of the gateway has more than ${MAX_PAGES} pages: begin later`)
    seen.add(page)
  }
}
