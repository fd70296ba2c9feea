import type { GraceDays } from '../../products/index.ts'
import { graceDays, type Subscription, validityOf } from '../../subscriptions/index.ts'
import { factsOf, keptAddress } from '../fold/facts.ts'
import { foldEvents } from '../fold/fold.ts'
import type { StoredStream } from './stored-store.ts'

/** The parts of a subscription that follow from its events. */
export const FACTS = ['productId', 'planId', 'email', 'method', 'state', 'periodEnd', 'graceFrom', 'accessUntil', 'changedAt'] as const
export type Fact = (typeof FACTS)[number]
export type Facts = Partial<Record<Fact, string | number | undefined>>

/** A stored part of a subscription that does not follow from the stored events. */
export interface Difference {
  streamId: string
  source: string
  ref: string
  /** The number of the subscription in its stream, from 0. */
  number: number
  /** `undefined` where there should be one and is none. */
  subscriptionId: string | undefined
  /** The facts that differ, as they are and as they should be. `undefined` as a whole: there is none, or there should be none. */
  stored: Facts | undefined
  computed: Facts | undefined
}

/** Compares the subscriptions of a stream with what its events come to. Pure. */
export function compareStream(stream: StoredStream, ofProduct: GraceDays): Difference[] {
  const computed: Facts[] = foldEvents(stream.events).map((folded) => ({
    ...factsOf(folded, validityOf(folded, graceDays(folded.method, ofProduct))),
    productId: stream.productId,
  }))
  return compareSubscriptions(stream, computed)
}

/** Whether a subscription gives access at this time (ms), as it is, and would give none as it should be. */
export function losesAccess({ stored, computed }: Difference, at: number): boolean {
  return givesAccess(stored, at) && !givesAccess(computed, at)
}

export function givesAccess(facts: Pick<Facts, 'accessUntil'> | undefined, at: number): boolean {
  return Number(facts?.accessUntil ?? 0) > at
}

/** Compares the subscriptions of a stream with what they should be. */
export function compareSubscriptions(stream: StoredStream, computed: readonly Facts[]): Difference[] {
  const { id: streamId, source, ref, subscriptions } = stream
  return Array.from({ length: Math.max(computed.length, subscriptions.length) }, (_, number) => number).flatMap((number) => {
    const [stored, expected] = [subscriptions[number], computed[number]]
    const names = FACTS.filter((fact) => differs(fact, stored, expected))
    if (names.length === 0) return []
    const pick = (facts: Facts | undefined) => facts && Object.fromEntries(names.map((name) => [name, facts[name]]))
    return [{ streamId, source, ref, number, subscriptionId: stored?.id, stored: pick(stored), computed: pick(expected) }]
  })
}

function differs(fact: Fact, stored: Subscription | undefined, computed: Facts | undefined): boolean {
  if (!stored || !computed) return true
  return stored[fact] !== (fact === 'email' ? keptAddress(computed.email, stored) : computed[fact])
}
