import type { Transaction } from '../../storage/index.ts'
import type { NormalizedEvent } from '../record/normalized-event.ts'
import type { EventStream } from './event-stream.ts'
import { type GatewayStream, matchStream, type StreamMatch } from './match-stream.ts'

/** A gateway's stream, held, and the held streams that are merged into it. */
export interface HeldMatch {
  match: StreamMatch
  source: string
  productId: string
  into: EventStream
  mergedStreams: EventStream[]
  /** The names of its payment in events of the own checkout. */
  ownNames?: readonly string[]
}

/**
 * Holds the matched streams. Matches again once they are held: a concurrent transaction may have made a stream under a name that this event
 * lacks.
 */
export async function holdMatch(
  tx: Transaction,
  {
    source,
    stream,
    kind,
    match,
  }: { source: string; stream: GatewayStream; kind: NormalizedEvent['event']['kind']; match: StreamMatch | undefined },
  open: (ref: string) => Promise<EventStream>,
): Promise<HeldMatch> {
  const opened = new Map<string, EventStream>()
  for (let known = match; ; known = undefined) {
    const found = known ?? (await matchStream(tx, source, { stream, kind }))
    const { ref, mergedStreams } = found
    if (ref === undefined) throw new Error('events without a stream is not applied')
    const missing = [ref, ...mergedStreams].filter((name) => !opened.has(name))
    const into = opened.get(ref)
    if (missing.length === 0 && into) {
      const others = mergedStreams.flatMap((name) => opened.get(name) ?? []).filter(({ id }) => id !== into.id)
      return { match: found, source, productId: stream.productId, into, mergedStreams: others }
    }
    for (const name of missing) opened.set(name, await open(name))
    const [whole] = missing.length === 1 && !found.isKnown ? opened.values() : []
    if (whole) return { match: found, source, productId: stream.productId, into: whole, mergedStreams: [] }
  }
}
