import { setTimeout as wait } from 'node:timers/promises'
import { callAdmin, type Service } from './admin-call.ts'
import { forward, type TailedEvent } from './forward.ts'

const POLL_MS = 1_000
/** Events of transactions that end out of order come later than their ids say: the last seconds are read again. */
const OVERLAP_MS = 30_000
const PAGE = 100

interface Following {
  api: Service
  product: string | undefined
  url: URL
  secret: string
  say: (line: string) => void
  signal: AbortSignal
  /** The service's time. */
  now: () => number
}

export async function follow({ signal, ...given }: Following): Promise<void> {
  const { now } = given
  const seen = new Map<string, number>()
  // Events from before the command are not new.
  for (const { id } of await listSince(given, now() - OVERLAP_MS)) seen.set(id, now())
  let listed = now()
  while (!signal.aborted) {
    await pause(signal)
    // The next list begins at the last one, however long the receiver has taken since: it may stand at a breakpoint.
    const from = listed - OVERLAP_MS
    listed = now()
    for (const event of await listSince(given, from)) {
      if (signal.aborted) return
      if (seen.has(event.id)) continue
      seen.set(event.id, now())
      given.say(await forward(event, given, signal))
    }
    for (const [id, at] of seen) if (at < listed - 10 * OVERLAP_MS) seen.delete(id)
  }
}

/** The oldest first, all pages. */
async function listSince({ api, product }: Pick<Following, 'api' | 'product'>, since: number): Promise<TailedEvent[]> {
  const events: TailedEvent[] = []
  const query = new URLSearchParams({ sort: 'occurred_at', limit: String(PAGE), since: new Date(since).toISOString() })
  if (product !== undefined) query.set('product', product)
  for (;;) {
    const page = await callAdmin<{ data: TailedEvent[]; next_cursor: string | null }>(api, `events?${query}`)
    events.push(...page.data)
    if (page.next_cursor === null) return events
    query.set('cursor', page.next_cursor)
  }
}

export async function pause(signal: AbortSignal): Promise<void> {
  await wait(POLL_MS, undefined, { signal }).catch(() => undefined)
}
