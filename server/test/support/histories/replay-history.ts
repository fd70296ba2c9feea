import assert from 'node:assert/strict'
import { checkAccess } from '../../../src/access/check-access.ts'
import type { AppContext } from '../../../src/context.ts'
import { createNotedDeliveries } from '../../../src/gateways/deliveries/noted-deliveries.ts'
import { receiveDelivery } from '../../../src/gateways/deliveries/receive.ts'
import type { VerificationFailures } from '../../../src/gateways/deliveries/verification-failures.ts'
import { fetchPaymentJob, type MerchantAccount, reconcile } from '../../../src/gateways/index.ts'
import { hmacKey } from '../../../src/kit/index.ts'
import { receivePurchase } from '../../../src/purchases/receive.ts'
import { signDelivery } from '../gateways/gateways.ts'
import { signed, WEBHOOK_SECRET } from '../gateways/purchases.ts'
import type { History } from './any-history.ts'
import { dayOf, describeEvent } from './describe-event.ts'
import { simulate } from './simulation/simulate.ts'
import { DAY, newSimulation, type Simulation } from './simulation/simulation.ts'
import type { GatewayApi, Sent } from './simulator.ts'
import type { Simulated } from './simulators.ts'
import { truthOf } from './truth.ts'

/** A product that takes money through one gateway, in a service whose clock is the simulation's. */
export interface Shop {
  context: AppContext
  clock: { now: number }
  productId: string
  /** The own checkout has none. */
  account: MerchantAccount | undefined
  histories: number
  /** Called after some deliveries and after each check, with the buyer's name at the product. */
  onMoment?: (user: string, chance: (sides: number) => number) => Promise<void>
}

interface Replay {
  shop: Shop
  simulated: Simulated
  simulation: Simulation
  api: GatewayApi
  email: string
  user: string
  chance: (sides: number) => number
  /** Not delivered yet; and what has been, since gateways repeat themselves. */
  pending: Sent[]
  delivered: Sent[]
  /** Notifications for which the gateway's API is to be asked. */
  asking: string[]
  isLossy: boolean
  checkedAt: number
  lines: string[]
}

/**
 * Simulates a history and sends its deliveries in any order: some arrive twice, some only with a reconciliation. At each check it asks for
 * access and compares the answer with the truth.
 */
export async function replayHistory(history: History, { shop, api: simulated }: { shop: Shop; api: Simulated }): Promise<void> {
  const number = ++shop.histories
  const name = `r${number}x`
  const chance = seededChance(history.seed)
  const email = `${name}@example.com`
  const api = simulated.open({ number, name, email, productId: shop.productId, chance })
  const simulation = newSimulation(api.rules)
  const replay: Replay = {
    ...{ shop, simulated, simulation, email, user: `user-${name}`, chance, api },
    ...{ pending: [], delivered: [], asking: [], isLossy: chance(4) === 1, checkedAt: simulation.now, lines: [] },
  }
  try {
    for (const historyEvent of simulate(simulation, history.steps)) {
      shop.clock.now = historyEvent.at
      const sent = api.pass?.(historyEvent.at) ?? []
      if (sent.length > 0) await post(replay, sent)
      replay.lines.push(describeEvent(historyEvent))
      if (historyEvent.is === 'check') await check(replay)
      else await post(replay, api.take(historyEvent))
    }
  } catch (fault) {
    const says = fault instanceof assert.AssertionError ? fault.message : String(fault instanceof Error ? fault.stack : fault)
    const failure = new Error([`${simulated.gateway ?? 'own checkout'}, seed ${history.seed}:`, ...replay.lines, says].join('\n  '))
    failure.stack = failure.message
    throw failure
  }
}

/** Some of it comes at once, some later. */
async function post(replay: Replay, sent: readonly Sent[]): Promise<void> {
  replay.pending.push(...sent)
  const isPrompt = replay.chance(3) < 2
  if (!isPrompt) return
  const now = replay.chance(3) === 0 ? replay.pending.splice(0) : replay.pending.splice(0, replay.chance(replay.pending.length + 1))
  await deliver(replay, now)
  if (replay.chance(2) === 0) await ask(replay)
  await replay.shop.onMoment?.(replay.user, replay.chance)
}

/** Delivers everything that is left, then compares. Lost deliveries are found by a reconciliation. */
async function check(replay: Replay): Promise<void> {
  const { chance, shop } = replay
  const rest = shuffle(replay.pending.splice(0), chance)
  const lost = shop.account && replay.isLossy ? rest.filter(({ isOwn }) => !isOwn && chance(3) === 1) : []
  const again = replay.delivered.filter(() => chance(5) === 1)
  await deliver(replay, shuffle([...rest.filter((sent) => !lost.includes(sent)), ...again], chance))
  await ask(replay)
  if (shop.account && lost.length > 0) {
    replay.lines.push(...lost.map(({ name }) => `  > ${name}: lost`), '  > everything is asked for again')
    await reconcile(shop.account, replay.checkedAt - DAY, { ...shop.context, guardedFetch: outgoingOf(replay) })
  }
  replay.checkedAt = shop.clock.now
  await compare(replay)
  await shop.onMoment?.(replay.user, chance)
}

async function deliver({ shop, delivered, asking, lines }: Replay, sent: readonly Sent[]): Promise<void> {
  const { account, clock, context } = shop
  for (const each of sent) {
    clock.now += 1
    const received =
      account && !each.isOwn
        ? await receiveAtAccount(each, account, shop)
        : await receivePurchase(signed(Object(each.body)), { ...context, secrets: SECRETS })
    assert.ok('received' in received, `a delivery is refused: ${JSON.stringify(received)}`)
    delivered.push(each)
    lines.push(`  > ${each.name}: ${received.received}`)
    if (received.received === 'asking') asking.push(await newestNotification(context))
  }
}

const SECRETS = [hmacKey(WEBHOOK_SECRET)]
const failures: VerificationFailures = { count: async () => undefined, noteRight: () => undefined, stop: async () => undefined }

function receiveAtAccount({ body, query = '' }: Sent, account: MerchantAccount, { clock, context }: Shop) {
  const raw = Buffer.from(JSON.stringify(body))
  const headers = signDelivery(account.gateway, raw, { at: clock.now, query })
  const delivery = { raw, query: new URLSearchParams(query), header: (name: string) => headers[name] }
  return receiveDelivery(delivery, account, { ...context, failures, noted: createNotedDeliveries() })
}

async function ask(replay: Replay): Promise<void> {
  const { shop } = replay
  const { context, account } = shop
  if (!account) return
  const merchantAccounts = { findOf: async () => account } as never
  const job = fetchPaymentJob({ ...context, merchantAccounts, guardedFetch: outgoingOf(replay) })
  for (const id of shuffle(replay.asking.splice(0), replay.chance)) {
    replay.lines.push('  > the gateway is asked')
    await job({ notificationId: id }, { id, attempts: 1, signal: new AbortController().signal })
  }
}

async function newestNotification({ storage }: AppContext): Promise<string> {
  const { id } = await storage.db.selectFrom('notifications').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  return id
}

function outgoingOf({ api, simulation, lines }: Replay) {
  return async (address: string): Promise<Response> => {
    const url = new URL(address)
    const answer = api.answer(url, simulation)
    if (answer !== undefined) return Response.json(JSON.parse(JSON.stringify(answer)))
    lines.push(`(asked for ${url.pathname}${url.search}, which the gateway does not know)`)
    return Response.json({}, { status: 404 })
  }
}

async function compare(replay: Replay): Promise<void> {
  const { shop, simulated, simulation, email, user } = replay
  const truth = truthOf(simulation, simulated.blur)
  const ask = (userId: string | undefined, address: string | undefined) =>
    checkAccess({ userId, email: address }, shop.productId, { storage: shop.context.storage, now: () => simulation.now })
  // With both, what is free is linked, so that the user's id alone has to do from then on.
  const answers = { 'by address': await ask(undefined, email), 'by both': await ask(user, email), 'by id': await ask(user, undefined) }
  for (const [how, { active, status, reason, planSlug, currentPeriodEnd }] of Object.entries(answers)) {
    const seen = `${how}: ${active ? 'access' : 'no access'} (${status}, ${reason}, ${planSlug}${currentPeriodEnd ? `, until day ${dayOf(currentPeriodEnd)}` : ''})`
    if (truth.access !== 'either')
      assert.equal(active, truth.access === 'has', `${seen}, but the buyer ${truth.access === 'has' ? 'has paid' : 'has not paid'} for now`)
    if (truth.access === 'has' && !truth.plans.has('unregistered')) {
      assert.ok(
        [...truth.plans].some((plan) => plan === planSlug),
        `${seen}, but the buyer has paid for ${[...truth.plans].join(' or ')}`,
      )
    }
  }
}

function shuffle<T>(list: readonly T[], chance: (sides: number) => number): T[] {
  const rest = [...list]
  const shuffled: T[] = []
  while (rest.length > 0) shuffled.push(...rest.splice(chance(rest.length), 1))
  return shuffled
}

/** Numbers by chance, the same ones for the same seed; nothing but 0 for seed 0. */
function seededChance(seed: number): (sides: number) => number {
  let state = seed >>> 0
  return (sides) => {
    if (seed === 0 || sides < 1) return 0
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }
}
