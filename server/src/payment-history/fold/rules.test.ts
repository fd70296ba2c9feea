import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { chanceOf } from '../../../test/support/second-hand/making.ts'
import { DAY_MS } from '../../kit/index.ts'
import { graceDays, SUBSCRIPTION_STATES, validityOf } from '../../subscriptions/index.ts'
import { PAYMENT_KINDS, type PaymentEvent } from '../events/payment-event.ts'
import { factsOf } from './facts.ts'
import { foldEvents } from './fold.ts'

/** The hash of the outcome of the histories below, by the present rules of the fold. */
const OUTCOME = 'f258dfd7076f1d920faf6a293fb4256f5316772d353e61c29bcf3f96d7eac168'

const HISTORIES = 600
const FROM = 1_700_000_000_000
/** An event's key begins with the part of the payment that it is about; `order` and `claim` are about all of it. */
const PARTS = ['ch_1', 'ch_2', 'dp_1', 'payment 12', 'order 7', 'claim 3', 'operator:a', 'operator:b'] as const
/** Most histories begin with a payment, and most of what follows is paid. */
const KINDS = [...PAYMENT_KINDS, 'paid', 'paid', 'paid', 'paid', 'refunded', 'canceled', 'disputed'] as const

type Chance = ReturnType<typeof chanceOf>

/** Up to twelve events of one stream, the same for the same seed. */
function historyOf(seed: number): PaymentEvent[] {
  const chance = chanceOf(seed)
  return Array.from({ length: chance.between(1, 12) }, (_, n) => eventOf(chance, n))
}

function eventOf(chance: Chance, n: number): PaymentEvent {
  const kind = n === 0 && chance.likely(0.7) ? 'paid' : chance.pick(KINDS)
  const day = chance.likely(0.8) ? n * 10 : chance.between(0, 120)
  const at = FROM + day * DAY_MS
  const isForeign = chance.likely(0.15)
  const hasPeriod = chance.likely(0.6)
  const periodStart = hasPeriod ? at + chance.between(-20, 20) * DAY_MS : undefined
  return {
    key: `${chance.pick(PARTS)}:${n}`,
    kind,
    at,
    planId: chance.pick(['small', 'big', undefined]),
    email: chance.pick(['a@example.com', 'b@example.com', undefined]),
    isOwn: chance.likely(0.2),
    paymentId: chance.pick(['p1', 'p1', 'p2', 'p3', undefined]),
    amount: isForeign ? undefined : chance.pick([undefined, 0, 1_000, 3_000, 9_900]),
    foreign: isForeign ? { currency: 'USD', amount: chance.pick([500, 2_000]) } : undefined,
    periodPrice: kind === 'paid' && chance.likely(0.1) ? 9_900 : undefined,
    method: chance.pick(['card', 'boleto', 'pix', undefined]),
    periodStart,
    periodEnd: chance.likely(0.6) ? (periodStart ?? at) + chance.pick([-5, 0, 7, 30, 365]) * DAY_MS : undefined,
  }
}

/** The stored facts of each subscription, as text. */
function outcomeOf(events: readonly PaymentEvent[]): string {
  const facts = foldEvents(events).map((folded) => {
    const stored = Object.entries(factsOf(folded, validityOf(folded, graceDays(folded.method, {}))))
    return stored.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`])).sort()
  })
  return JSON.stringify(facts)
}

describe('The rules of the fold', () => {
  const histories = Array.from({ length: HISTORIES }, (_, seed) => historyOf(seed + 1))

  it('are shown by histories with every kind of event, which come to every state and to several subscriptions', () => {
    const kinds = new Set(histories.flatMap((events) => events.map(({ kind }) => kind)))
    assert.deepEqual([...kinds].sort(), [...PAYMENT_KINDS].sort())
    const folded = histories.map(foldEvents)
    const states = new Set(folded.flatMap((all) => all.map(({ state }) => state)))
    assert.deepEqual([...states].sort(), [...SUBSCRIPTION_STATES].sort())
    assert.ok(folded.filter((all) => all.length > 1).length > 50)
  })

  it('come to the same for the same stored events as in the version before, unless the changelog says that they do not', () => {
    const outcome = createHash('sha256').update(histories.map(outcomeOf).join('\n')).digest('hex')
    const changed = `the same stored events come to something else than before: write in CHANGELOG.md that rules changed and
that \`portaria subscriptions rebuild --check\`, then \`--apply\`, is to be run after the upgrade, and set OUTCOME to
${outcome}`
    assert.ok(outcome === OUTCOME, changed)
  })
})
