import { isUuid } from '../kit/index.ts'

/** Of one page of a list. */
const MOST = 10

export interface Page<T> {
  shown: T[]
  /** The cursor of the next page; `undefined` on the last. */
  next: string | undefined
  isFirst: boolean
}

/**
 * Reads the page of a list that an address asks for by `cursor`, the id of the last thing on the page before. What is no id begins at
 * the first page. One more is read, to know whether there is a next.
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
