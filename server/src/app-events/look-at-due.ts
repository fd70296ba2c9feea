/** Transactions of SQLite share a commit, and those of PostgreSQL a round trip's time. */
const AT_ONCE = 8
const PAGE = 128

/**
 * Looks at the next ones that are due, a few at once. One that faults keeps nobody else waiting: it stays due, and the fault is thrown at
 * the end. `more`: others wait.
 */
export async function lookAtSome<One>(
  list: (limit: number) => Promise<readonly One[]>,
  look: (one: One) => Promise<void>,
): Promise<{ looked: number; more: boolean }> {
  const due = await list(PAGE)
  const faults: unknown[] = []
  for (let from = 0; from < due.length; from += AT_ONCE) {
    const ended = await Promise.allSettled(due.slice(from, from + AT_ONCE).map(look))
    faults.push(...ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])))
  }
  if (faults.length > 0) throw faults[0]
  return { looked: due.length, more: due.length === PAGE }
}

/**
 * The same, and marks the next portion of a scan where few are due, though a look has faulted. So a scan of a million never has more than
 * a portion in front of what changes meanwhile. `scan` answers whether there may be more to mark.
 */
export async function lookAndScan<One>(
  list: (limit: number) => Promise<readonly One[]>,
  look: (one: One) => Promise<void>,
  scan: () => Promise<boolean>,
): Promise<{ looked: number; more: boolean }> {
  let isFull = false
  const listed = async (limit: number) => {
    const due = await list(limit)
    isFull = due.length === limit
    return due
  }
  const [looks] = await Promise.allSettled([lookAtSome(listed, look)])
  const scanned = (!isFull || looks.status === 'rejected') && (await scan())
  if (looks.status === 'rejected') throw looks.reason
  return { looked: looks.value.looked, more: isFull || scanned }
}
