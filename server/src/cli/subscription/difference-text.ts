import type { Names } from '../../admin/index.ts'
import type { Difference, Facts } from '../../payment-history/index.ts'

/** Names in place of ids, and how a time is written: in lines as people read it, in JSON in UTC. */
export interface Labels extends Names {
  timeOf(at: number): string
}

/** `by`: what the subscription was worked out from. */
export function differenceLine(difference: Difference, names: Labels, by: 'events' | 'notifications' = 'events'): string {
  const { subscriptionId, number, source, ref, stored, computed } = difference
  if (!stored) return `a subscription is missing: number ${number + 1} of ${source}: ${ref}; its ${by} say ${sayAll(computed ?? {}, names)}`
  if (!computed) return `subscription ${subscriptionId}: its ${by} know none; it is stored with ${sayAll(stored, names)}`
  const changes = labels.filter(([fact]) => fact in stored)
  const said = changes.map(([fact, label]) => `${label} is ${say(fact, stored, names)}, its ${by} say ${say(fact, computed, names)}`)
  return `subscription ${subscriptionId}: ${said.join('; ')}`
}

function sayAll(facts: Facts, names: Labels): string {
  const said = labels.filter(([fact]) => facts[fact] !== undefined)
  return said.map(([fact, label]) => `${label} ${say(fact, facts, names)}`).join(', ')
}

const labels = [
  ['state', 'state'],
  ['planId', 'plan'],
  ['productId', 'product'],
  ['email', 'buyer'],
  ['method', 'method'],
  ['periodEnd', 'paid until'],
  ['graceFrom', 'grace from'],
  ['accessUntil', 'access until'],
  ['changedAt', 'last event'],
] as const satisfies ReadonlyArray<readonly [keyof Facts, string]>

/** A readable value; one without a name is shown by its id. */
function say(fact: keyof Facts, facts: Facts, { plans, products, timeOf }: Labels): string {
  const value = facts[fact]
  if (value === undefined) return 'none'
  if (typeof value === 'number') return timeSaid(value, timeOf)
  if (fact === 'planId') return plans.get(value) ?? value
  return fact === 'productId' ? (products.get(value) ?? value) : value
}

/** 0 is stored for a subscription without access. */
function timeSaid(at: number, timeOf: Labels['timeOf']): string {
  if (!Number.isFinite(at)) return 'without end'
  return at === 0 ? 'never' : timeOf(at)
}

export function differenceJson({ subscriptionId, streamId, source, ref, number, stored, computed }: Difference, names: Labels) {
  const facts = (side: Facts | undefined) =>
    side &&
    Object.fromEntries(labels.flatMap(([fact, label]) => (fact in side ? [[label.replaceAll(' ', '_'), jsonOf(fact, side, names)]] : [])))
  return {
    subscription_id: subscriptionId ?? null,
    stream_id: streamId,
    source,
    ref,
    number: number + 1,
    stored: facts(stored) ?? null,
    computed: facts(computed) ?? null,
  }
}

function jsonOf(fact: keyof Facts, facts: Facts, names: Labels): string | null {
  return facts[fact] === undefined ? null : say(fact, facts, names)
}
