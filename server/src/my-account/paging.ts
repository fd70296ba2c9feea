import { isUuid } from '../kit/index.ts'

/** Things on a page of a list. */
const MOST = 10

export interface Page<T> {
  shown: T[]
  /** The cursor of the next page; `undefined` on the last. */
  next: string | undefined
  isFirst: boolean
}

/**
 * Reads a page of a list: `cursor` in the address is the last id of the page before; an invalid one means the first page. One more row is
 * read, to know whether a next page exists.
 */
export async function pageOf<T extends { id: string }>(
  query: URLSearchParams,
  list: (page: { limit: number; cursor: string | undefined }) => Promise<T[]>,
): Promise<Page<T>> {
  const asked = query.get('cursor') ?? ''
  const cursor = isUuid(asked) ? asked : undefined
  const found = await list({ limit: MOST + 1, cursor })
  const shown = found.slice(0, MOST)
  return { shown, next: found.length > MOST ? shown.at(-1)?.id : undefined, isFirst: cursor === undefined }
}
