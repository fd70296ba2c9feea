import assert from 'node:assert/strict'
import { checkAccess } from '../../../src/access/check-access.ts'
import type { AppContext } from '../../../src/context.ts'
import { receiveDelivery } from '../../../src/gateways/deliveries/receive.ts'
import type { VerificationFailures } from '../../../src/gateways/deliveries/verification-failures.ts'
import { fetchPaymentJob, type MerchantAccount, reconcile } from '../../../src/gateways/index.ts'
import { hmacKey } from '../../../src/kit/index.ts'
import { receivePurchase } from '../../../src/purchases/receive.ts'
import { signDelivery } from '../gateways/gateways.ts'
import { signed, WEBHOOK_SECRET } from '../gateways/purchases.ts'
import type { GatewayApi, Sent } from './simulator.ts'
import type { Simulated } from './simulators.ts'
import type { Story } from './stories.ts'
import { dayOf, tellStory } from './tell.ts'
import { truthOf } from './truth.ts'
import { live } from './world/live.ts'
import { DAY, emptyWorld, type World } from './world/world.ts'

/** A product that takes money through one gateway, in a service whose clock is the story's. */
export interface Shop {
  context: AppContext
  clock: { now: number }
  productId: string
  /** The own checkout has none. */
  account: MerchantAccount | undefined
  stories: number
}

interface Course {
  shop: Shop
  simulated: Simulated
  world: World
  api: GatewayApi
  email: string
  person: string
  chance: (sides: number) => number
  /** Not delivered yet; and what has been, since gateways repeat themselves. */
  waiting: Sent[]
  delivered: Sent[]
  /** Notifications for which the gateway's API is to be asked. */
  asking: string[]
  isLossy: boolean
  lookedAt: number
  lines: string[]
}

/**
 * Lives a story, with its deliveries in any order, some of them twice and some never until a reconciliation; asks at each look for access,
 * and compares it with the truth.
 */
export async function follow(story: Story, { shop, api: simulated }: { shop: Shop; api: Simulated }): Promise<void> {
  const number = ++shop.stories
  const name = `r${number}x`
  const chance = fortune(story.fortune)
  const email = `${name}@example.com`
  const api = simulated.open({ number, name, email, productId: shop.productId, chance })
  const world = emptyWorld(api.rules)
  const course: Course = {
    ...{ shop, simulated, world, email, person: `person-${name}`, chance, api },
    ...{ waiting: [], delivered: [], asking: [], isLossy: chance(4) === 1, lookedAt: world.now, lines: [] },
  }
  try {
    for (const storyEvent of live(world, story.steps)) {
      shop.clock.now = storyEvent.at
      const sent = api.pass?.(storyEvent.at) ?? []
      if (sent.length > 0) await post(course, sent)
      course.lines.push(tellStory(storyEvent))
      if (storyEvent.is === 'look') await look(course)
      else await post(course, api.take(storyEvent))
    }
  } catch (fault) {
    const says = fault instanceof assert.AssertionError ? fault.message : String(fault instanceof Error ? fault.stack : fault)
    const failure = new Error([`${simulated.gateway ?? 'own checkout'}, fortune ${story.fortune}:`, ...course.lines, says].join('\n  '))
    failure.stack = failure.message
    throw failure
  }
}

/** Some of it comes at once, some later. */
async function post(course: Course, sent: readonly Sent[]): Promise<void> {
  course.waiting.push(...sent)
  const isPrompt = course.chance(3) < 2
  if (!isPrompt) return
  const now = course.chance(3) === 0 ? course.waiting.splice(0) : course.waiting.splice(0, course.chance(course.waiting.length + 1))
  await deliver(course, now)
  if (course.chance(2) === 0) await ask(course)
}

/** All of it, since a look is about what is known; what got lost is found by asking the gateway for everything. */
async function look(course: Course): Promise<void> {
  const { chance, shop } = course
  const rest = shuffle(course.waiting.splice(0), chance)
  const lost = shop.account && course.isLossy ? rest.filter(({ isOwn }) => !isOwn && chance(3) === 1) : []
  const again = course.delivered.filter(() => chance(5) === 1)
  await deliver(course, shuffle([...rest.filter((sent) => !lost.includes(sent)), ...again], chance))
  await ask(course)
  if (shop.account && lost.length > 0) {
    course.lines.push(...lost.map(({ name }) => `  > ${name}: lost`), '  > everything is asked for again')
    await reconcile(shop.account, course.lookedAt - DAY, { ...shop.context, guardedFetch: outgoingOf(course) })
  }
  course.lookedAt = shop.clock.now
  await compare(course)
}

async function deliver({ shop, delivered, asking, lines }: Course, sent: readonly Sent[]): Promise<void> {
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
  return receiveDelivery(delivery, account, { ...context, failures })
}

async function ask(course: Course): Promise<void> {
  const { shop } = course
  const { context, account } = shop
  if (!account) return
  const merchantAccounts = { findOf: async () => account } as never
  const job = fetchPaymentJob({ ...context, merchantAccounts, guardedFetch: outgoingOf(course) })
  for (const id of shuffle(course.asking.splice(0), course.chance)) {
    course.lines.push('  > the vendor is asked')
    await job({ notificationId: id }, { id, attempts: 1, signal: new AbortController().signal })
  }
}

async function newestNotification({ storage }: AppContext): Promise<string> {
  const { id } = await storage.db.selectFrom('notifications').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  return id
}

function outgoingOf({ api, world, lines }: Course) {
  return async (address: string): Promise<Response> => {
    const url = new URL(address)
    const answer = api.answer(url, world)
    if (answer !== undefined) return Response.json(JSON.parse(JSON.stringify(answer)))
    lines.push(`(asked for ${url.pathname}${url.search}, which the vendor does not know)`)
    return Response.json({}, { status: 404 })
  }
}

async function compare(course: Course): Promise<void> {
  const { shop, simulated, world, email, person } = course
  const truth = truthOf(world, simulated.blur)
  const ask = (userId: string | undefined, address: string | undefined) =>
    checkAccess({ userId, email: address }, shop.productId, { storage: shop.context.storage, now: () => world.now })
  // With both, what is free is linked, so that the person's id alone has to do from then on.
  const answers = { 'by address': await ask(undefined, email), 'by both': await ask(person, email), 'by id': await ask(person, undefined) }
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
function fortune(seed: number): (sides: number) => number {
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
