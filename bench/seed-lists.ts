import { randomUUID } from 'node:crypto'
import type { Seed } from './harness/seed.ts'

const DAY_MS = 86_400_000

/**
 * Each list of the admin API that grows, with each of its orders and filters, common values and rare ones; the search and a user's timeline
 * among them.
 */
export function listsOf(seed: Seed): string[] {
  const { productId, planId, rarePlanId, user } = seed
  const then = halfWay()
  const byTime = ['', 'sort=created_at']
  const activeThen = [new Date().toISOString(), then]
    .map((at) => at.slice(0, 10))
    .flatMap((day) => [
      ...[`active_on=${day}`, `active_on=${day}&plan_id=${rarePlanId}`, `active_on=${day}&figure=mrr`],
      ...[`active_on=${day}&figure=mrr&plan_id=${rarePlanId}`, `active_on=${day}&figure=mrr&currency=USD`],
      `active_on=${day}&figure=mrr&currency=EUR`,
    ])
  return [
    ...['', 'sort=created_at', 'sort=email', 'sort=-email', 'disabled=false', 'producer=false', 'beta=false'].map(of('users')),
    ...crossed(['role=any', 'role=viewer', 'disabled=true'], [...byTime, 'sort=email', 'sort=-email']).map(of('users')),
    ...crossed([...narrowed(), ...searches(seed)], byTime).map(of('users')),
    ...['', 'sort=email', 'sort=-created_at'].map(of('administrators')),
    ...crossed(
      [
        ...['', `user_id=${user.id}`, `product_id=${productId}`, 'ip=198.51.3.7', 'live=true', 'live=false', 'sign_in=true'],
        ...[`since=${then}`, `until=${then}`],
      ],
      byTime,
    ).map(of('sessions')),
    ...crossed(
      [
        ...['', `email=${user.email}`, `user_id=${user.id}`, `product_id=${productId}`, `plan_id=${planId}`, `plan_id=${rarePlanId}`],
        ...['state=active', 'state=refunded', 'state=disputed', 'guest=true', 'guest=false', `since=${then}`, `until=${then}`],
      ],
      byTime,
    ).map(of('subscriptions')),
    ...crossed(
      [
        ...['new', 'returned', 'lost'].flatMap((name) => [
          `changed=${name}`,
          `changed=${name}&plan_id=${planId}`,
          `changed=${name}&plan_id=none`,
        ]),
        ...[...activeThen, `changed=new&changed_since=${then}`, `changed=new&plan_id=${rarePlanId}&changed_since=${then}`],
      ],
      byTime,
    ).map(of('subscriptions')),
    ...crossed(
      ['', 'figure=received', 'figure=refunded', 'currency=USD', `since=${then}`, `until=${then}`, `plan_id=${planId}&since=${then}`],
      ['', 'sort=at'],
    ).map(of('transactions')),
    ...crossed(
      [
        ...['', 'status=processed', 'status=unresolved', 'status=failed', 'stuck=true', 'source=purchase', 'source=asaas'],
        ...[`product_id=${productId}`, `email=${user.email}`, `since=${then}`, `until=${then}`],
      ],
      ['', 'sort=received_at'],
    ).map(of('notifications')),
    ...crossed(
      ['', 'actor=operator:cli', `target=${user.id}`, 'action=user.disable', 'action=user.change', `since=${then}`, `until=${then}`],
      ['', 'sort=at'],
    ).map(of('audit')),
    ...['', 'state=dead', 'state=living'].map(of('jobs')),
    ...[user.email, 'conceicao', user.id, randomUUID(), 'seed 7'].map((q) => `/search?q=${encodeURIComponent(q)}`),
    `/users/${user.id}/timeline`,
    `/users/${user.id}/access`,
    '/notifications/counts',
  ]
}

/** Users by what has no index in the order of addresses, in that order: there is nothing for it but to look at many. */
export function unindexedOf(seed: Seed): string[] {
  return crossed([...narrowed(), ...searches(seed)], ['sort=email', 'sort=-email']).map(of('users'))
}

function narrowed(): string[] {
  return ['producer=true', 'beta=true', `created_since=${halfWay()}`, `created_until=${halfWay()}`]
}

/** The middle of the time in which the seed's events happened. */
function halfWay(): string {
  return new Date(Date.now() - 18 * DAY_MS).toISOString()
}

/** Words that a tenth of all have, or a hundredth, a thousandth, one, none. */
function searches({ user }: Seed): string[] {
  const queries = ['conceicao', 'ana+souza', 'pe', 'gil+rocha+pessoa', 'pessoa.02', 'pessoa.001', user.email, 'nobody-there']
  return queries.map((query) => `q=${query}`)
}

function of(list: string): (query: string) => string {
  return (query) => `/${list}?limit=25${query && `&${query}`}`
}

function crossed(filters: readonly string[], orders: readonly string[]): string[] {
  return filters.flatMap((filter) => orders.map((order) => [filter, order].filter((part) => part !== '').join('&')))
}
