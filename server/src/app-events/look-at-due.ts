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

/** The same until none is left. */
export async function lookAtAll<One>(list: (limit: number) => Promise<readonly One[]>, look: (one: One) => Promise<void>): Promise<number> {
  for (let all = 0; ; ) {
    const { looked, more } = await lookAtSome(list, look)
    all += looked
    if (!more) return all
  }
}
