import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { TestService } from '../service.ts'
import { startFakeApi } from './fake-api.ts'
import { askAccess, type Connected, deliver, type Gateway, notificationsOf, openSchool } from './gateways.ts'

// Flows of payment gateways: what a gateway delivers and its API says by and by, and what check-access says after each step. Each gateway's
// own words are in `flows-<gateway>.ts`.

export const DAY = 86_400_000
const MINUTE = 60_000
export const BUYER = 'comprador@example.com'

/** The answer of check-access about the buyer, in short. */
type Access = readonly [active: boolean, status: string, reason: string]

export const NOTHING: Access = [false, 'none', 'no_subscription']
export const PENDING: Access = [false, 'pending', 'payment_pending']
export const PAID: Access = [true, 'active', 'paid']
export const RUN_OUT: Access = [true, 'active', 'in_grace']
export const EXPIRED: Access = [false, 'expired', 'expired']
export const BEHIND: Access = [true, 'past_due', 'in_grace']
export const LOST: Access = [false, 'past_due', 'past_due']
export const LEAVING: Access = [true, 'canceled', 'paid_until_period_end']
export const CANCELED: Access = [false, 'canceled', 'canceled']
export const REFUNDED: Access = [false, 'refunded', 'refunded']
export const DISPUTED: Access = [false, 'disputed', 'disputed']

/** The moment of a step and that at which its flow began, both in ms. */
export type Moment = { at: number; start: number }
export type Delivered = { body: unknown; query?: string }
type Responses = Record<string, unknown>

export interface Step {
  /** Days since the flow began. */
  day: number
  /** The answers of the gateway's API from now on, by path. Earlier answers stay for other paths. */
  says?: (moment: Moment) => Responses
  /** The deliveries of this step. */
  delivers?: ReadonlyArray<(moment: Moment) => Delivered>
  is: Access
}

/** One step of a flow, as it really comes. */
interface TimedStep {
  at: number
  answers: Responses
  deliveries: Delivered[]
  is: Access
}

interface Shop {
  service: TestService
  school: Connected
  answers: Map<string, unknown>
}

async function openShop(service: TestService, gateway: Gateway): Promise<Shop> {
  const { url, answers } = await startFakeApi()
  return { service, answers, school: await openSchool(service, gateway, { apiUrl: url }) }
}

/** As it is documented: after each step check-access says what it should. */
export async function inOrder(service: TestService, gateway: Gateway, steps: readonly Step[]): Promise<void> {
  await followed(service, gateway, happen(service.clock.now, steps))
}

async function followed(service: TestService, gateway: Gateway, timedSteps: readonly TimedStep[]): Promise<Shop> {
  const shop = await openShop(service, gateway)
  for (const [n, timedStep] of timedSteps.entries()) {
    service.clock.now = timedStep.at
    await take(shop, timedStep)
    assert.deepEqual(await askForAccess(shop), timedStep.is, `step ${n + 1}`)
  }
  await expectNothingLeft(shop)
  return shop
}

/**
 * In order, then reversed, each twice, and reversed with each twice, all of it late, when the flow is over: the same subscriptions to the
 * last date.
 */
export async function anyhow(service: TestService, gateway: Gateway, steps: readonly Step[]): Promise<void> {
  const timedSteps = happen(service.clock.now, steps)
  const expected = await subscriptionsOf(await followed(service, gateway, timedSteps))
  const reversed = timedSteps.map((one) => ({ ...one, deliveries: one.deliveries.toReversed() })).reverse()
  const doubled = (order: TimedStep[]) => order.flatMap((one) => [one, one])
  for (const [name, order] of Object.entries({ reversed, doubled: doubled(timedSteps), 'reversed and doubled': doubled(reversed) })) {
    const shop = await openShop(service, gateway)
    for (const timedStep of order) await take(shop, timedStep)
    assert.deepEqual(await askForAccess(shop), timedSteps.at(-1)?.is, name)
    assert.deepEqual(await subscriptionsOf(shop), expected, name)
    await expectNothingLeft(shop)
  }
}

function subscriptionsOf({ service, school }: Shop) {
  return service.context.storage.db
    .selectFrom('subscriptions')
    .select(['number', 'email', 'state', 'method', 'period_end', 'access_until', 'changed_at'])
    .where('product_id', '=', school.product.product.id)
    .orderBy('number')
    .execute()
}

/** Steps of one day are a minute apart. */
function happen(start: number, steps: readonly Step[]): TimedStep[] {
  return steps.map(({ day: days, says, delivers = [], is }, n) => {
    const at = start + days * DAY + n * MINUTE
    return { at, answers: says?.({ at, start }) ?? {}, deliveries: delivers.map((deliverAt) => deliverAt({ at, start })), is }
  })
}

/** Delivers what a step brings, and waits until everything that has to be asked was asked. */
async function take({ service, school, answers }: Shop, timedStep: TimedStep): Promise<void> {
  for (const [path, answer] of Object.entries(timedStep.answers)) answers.set(path, answer)
  for (const { body, query = '' } of timedStep.deliveries) {
    assert.deepEqual(await deliver(school, body, { query, at: service.clock.now }), { status: 200, body: { received: true } })
  }
  const deadline = Date.now() + 10_000
  while (await isAsking(service)) {
    assert.ok(Date.now() < deadline, 'not asked within 10 s')
    await setTimeout(5)
  }
}

/** Whether anything is still to be asked of a gateway's API. */
async function isAsking({ context }: TestService): Promise<boolean> {
  const asking = context.storage.db.selectFrom('outbox').select('id').where('kind', '=', 'fetch_payment').where('dead_at', 'is', null)
  return (await asking.executeTakeFirst()) !== undefined
}

async function askForAccess({ service, school }: Shop): Promise<Access> {
  const { active, status, reason } = await askAccess(service, school, BUYER)
  return [active === true, String(status), String(reason)]
}

/** No notification is pending, and no job was given up. */
async function expectNothingLeft({ service, school }: Shop): Promise<void> {
  const left = (await notificationsOf(service, school)).filter(
    ({ status, why }) => why === 'unknown_payment' || (status !== 'processed' && status !== 'ignored'),
  )
  assert.deepEqual(
    left.map(({ event, status, why }) => ({ event, status, why })),
    [],
  )
}

/** Two things that happen at once. */
export function both(one: Required<Pick<Step, 'says' | 'delivers'>>, other: Required<Pick<Step, 'says' | 'delivers'>>) {
  return { says: (moment: Moment) => ({ ...one.says(moment), ...other.says(moment) }), delivers: [...one.delivers, ...other.delivers] }
}

export function unique(): string {
  return randomUUID().replaceAll('-', '')
}

export function vector(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../vectors/gateways/${name}.json`, import.meta.url), 'utf8'))
}

export function partOf(value: unknown, key: string): unknown {
  return Object(value)[key]
}

/** A copy with changes: objects are merged, members of an array by their place, and `undefined` takes away. */
export function edit(value: unknown, changes: unknown): unknown {
  const isMerged = typeof value === 'object' && value !== null && typeof changes === 'object' && changes !== null && !Array.isArray(changes)
  if (!isMerged) return changes
  const copy = Array.isArray(value) ? [...value] : { ...value }
  for (const [key, change] of Object.entries(changes)) {
    if (change === undefined) Reflect.deleteProperty(copy, key)
    else Reflect.set(copy, key, edit(Reflect.get(copy, key), change))
  }
  return copy
}

/** A time in ms as gateways write it. */
export function iso(at: number): string {
  return new Date(at).toISOString()
}
