import fc from 'fast-check'
import type { Action, Step } from './simulation/simulation.ts'

/**
 * The actions of one buyer, and a seed. The seed decides how deliveries arrive and which habits the gateway has. With 0 each delivery
 * arrives once, at once and in order.
 */
export interface History {
  steps: Step[]
  seed: number
}

type Kinds = Action['action']

const of = fc.nat(5)
const plan = fc.constantFrom('basic' as const, 'pro' as const)
const cycle = fc.constantFrom('month' as const, 'month' as const, 'year' as const)
const method = fc.constantFrom('card' as const, 'boleto' as const, 'pix' as const)
const mostly = fc.integer({ min: 0, max: 5 }).map((n) => n < 5)
const seldom = fc.integer({ min: 0, max: 5 }).map((n) => n === 5)

/** The actions and features that a history at this gateway can have. */
export interface Features {
  actions: readonly Kinds[]
  /** Of subscriptions. */
  onlyCards?: boolean
  sameCycle?: boolean
  trials?: boolean
  addOns?: boolean
  unregistered?: boolean
  failedRefunds?: boolean
  inquiries?: boolean
  billing?: readonly (Action & { action: 'change_plan' })['bills'][]
}

/** Falling behind and paying late; giving back in parts; and so on. */
const THEMES: ReadonlyArray<readonly Kinds[]> = [
  ['break_card', 'pay_open'],
  ['buy', 'refund'],
  ['refund', 'dispute', 'decide'],
  ['cancel', 'resume', 'refund'],
  ['change_plan', 'break_card'],
]

export function anyHistory(features: Features): fc.Arbitrary<History> {
  const changed = features.unregistered ? fc.constantFrom('basic' as const, 'pro' as const, 'pro' as const, 'unregistered' as const) : plan
  const actions: { [Kind in Kinds]: fc.Arbitrary<Action> } = {
    check: fc.constant({ action: 'check', of: 0 }),
    subscribe: fc.record({
      action: fc.constant('subscribe' as const),
      plan,
      cycle,
      method: features.onlyCards ? fc.constant('card' as const) : method,
      trialDays: features.trials ? fc.constantFrom(0, 0, 7, 14) : fc.constant(0),
      addOn: features.addOns ? seldom : fc.constant(false),
      pays: mostly,
    }),
    buy: fc.record({ action: fc.constant('buy' as const), plan, method, pays: mostly }),
    break_card: fc.record({
      action: fc.constant('break_card' as const),
      of,
      days: fc.oneof(fc.integer({ min: 5, max: 45 }), fc.integer({ min: 30, max: 70 }), fc.integer({ min: 5, max: 400 })),
      // The bill that was open first, once the card is good again.
      pays: fc.boolean(),
    }),
    resume: fc.record({ action: fc.constant('resume' as const), of }),
    void: fc.record({ action: fc.constant('void' as const), of }),
    pay_open: fc.record({ action: fc.constant('pay_open' as const), of }),
    pay_ahead: fc.record({ action: fc.constant('pay_ahead' as const), of }),
    change_plan: fc.record({
      action: fc.constant('change_plan' as const),
      of,
      plan: changed,
      cycle: features.sameCycle ? fc.constant('month' as const) : cycle,
      bills: fc.constantFrom(...(features.billing ?? ['now', 'next_time', 'no_proration'])),
    }),
    cancel: fc.record({ action: fc.constant('cancel' as const), of }),
    cancel_now: fc.record({ action: fc.constant('cancel_now' as const), of, usage: fc.boolean() }),
    refund: fc.record({
      action: fc.constant('refund' as const),
      of,
      share: fc.constantFrom('all' as const, 'part' as const),
      fails: features.failedRefunds ? seldom : fc.constant(false),
    }),
    dispute: fc.record({ action: fc.constant('dispute' as const), of, isInquiry: features.inquiries ? seldom : fc.constant(false) }),
    decide: fc.record({ action: fc.constant('decide' as const), of, outcome: fc.constantFrom('won' as const, 'lost' as const) }),
  }
  // Steps lie hours, days or weeks apart: within one session, within a month, and up to the next bill.
  const after = fc.oneof(fc.integer({ min: 2, max: 60 }), fc.integer({ min: 60, max: 500 }), fc.integer({ min: 600, max: 800 }))
  const first = fc.record({ after: fc.constant(0), does: actions.subscribe })
  const able = THEMES.map((theme) => theme.filter((kind) => features.actions.includes(kind))).filter(({ length }) => length > 0)
  // Each history has only a few kinds of actions, so that they meet; often they are kinds that belong together.
  return fc.oneof(fc.subarray([...features.actions], { minLength: 1, maxLength: 4 }), fc.constantFrom(...able)).chain((kinds) => {
    const step = fc.record({ after, does: fc.oneof(...kinds.map((name) => actions[name]), actions.check) })
    return fc.record({
      steps: fc.tuple(first, fc.array(step, { maxLength: 11 })).map(([begin, rest]) => [begin, ...rest]),
      seed: fc.oneof(fc.constant(0), fc.nat({ max: 1_000_000_000 })),
    })
  })
}
