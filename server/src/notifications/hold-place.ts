import type { Transaction } from '../storage/index.ts'
import type { Line } from '../subscriptions/index.ts'
import { findPlace, type GatewayLine, type Place } from './gateway-line.ts'
import type { NormalizedEvent } from './notification.ts'

/** A gateway's line, held, and the held lines that become a part of it. */
export interface HeldPlace {
  place: Place
  source: string
  productId: string
  into: Line
  parts: Line[]
  /** By which its payment is found in what the own checkout tells of it. */
  ownNames?: readonly string[]
}

/**
 * Opens the line and those that are parts of it, as they were found. Looks again once they are held: whoever was making one of two lines, under a name that this event does
 * not give, is done by then.
 */
export async function holdPlace(
  tx: Transaction,
  { source, line, kind, place }: { source: string; line: GatewayLine; kind: NormalizedEvent['event']['kind']; place: Place | undefined },
  open: (ref: string) => Promise<Line>,
): Promise<HeldPlace> {
  const opened = new Map<string, Line>()
  for (let known = place; ; known = undefined) {
    const found = known ?? (await findPlace(tx, source, { line, kind }))
    const { ref, parts } = found
    if (ref === undefined) throw new Error('events without a place is not applied')
    const missing = [ref, ...parts].filter((name) => !opened.has(name))
    const into = opened.get(ref)
    if (missing.length === 0 && into) {
      const others = parts.flatMap((name) => opened.get(name) ?? []).filter(({ id }) => id !== into.id)
      return { place: found, source, productId: line.productId, into, parts: others }
    }
    for (const name of missing) opened.set(name, await open(name))
    const [whole] = missing.length === 1 && !found.isKnown ? opened.values() : []
    if (whole) return { place: found, source, productId: line.productId, into: whole, parts: [] }
  }
}
