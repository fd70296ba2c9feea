import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, hiddenFlow } from '../../server/test/support/browser.ts'
import { loginPath, sessionOf } from '../../server/test/support/faults/actions.ts'
import { activated, later, signed } from '../../server/test/support/gateways/purchases.ts'
import { PASSWORD } from '../../server/test/support/service.ts'
import { goOn as goOnIn } from '../../server/test/support/users/sign-in-steps.ts'
import type { Book } from './book.ts'
import type { Installation, Place } from './installation.ts'
import { pick } from './random.ts'

/** How long a peer without an answer is waited for: a node that stands still answers nobody. */
const ANSWER_MS = 15_000

export interface Traffic {
  installation: Installation
  book: Book
  random: () => number
  isOver: () => boolean
  /** Ms of each check that was answered. */
  checkTimes: number[]
}

/** Everybody who uses the service: each goes on until the soak is over. */
export function startTraffic(traffic: Traffic): Promise<void>[] {
  const kinds = [
    [signInAndOut, 3],
    [race, 3],
    [buy, 4],
    [askAgain, 3],
    [redeemAgain, 1],
  ] as const
  return kinds.flatMap(([kind, count]) => Array.from({ length: count }, () => goOn(kind, traffic)))
}

async function goOn(kind: (traffic: Traffic) => Promise<void>, traffic: Traffic): Promise<void> {
  while (!traffic.isOver()) {
    try {
      await kind(traffic)
    } catch (error) {
      // The network's faults, and answers that never came: each kind has noted before what is uncertain now.
      traffic.book.counts.refused++
      if (!isOfNetwork(error)) traffic.book.violate(String(error instanceof Error ? (error.stack ?? error.message) : error))
      await sleep(200)
    }
  }
}

export function isOfNetwork(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'TimeoutError' ||
      (error instanceof TypeError && (error.message === 'fetch failed' || error.message === 'terminated')) ||
      error instanceof Refused)
  )
}

/** The service refused for now. */
class Refused extends Error {}

function unsaid(what: string, status: number): Error {
  const message = `${what} was answered with ${status}`
  return status === 503 ? new Refused(message) : new Error(message)
}

/** Has an answer come in time, and not `503`? */
async function inTime<Answer extends { status: number }>(answer: Promise<Answer>): Promise<Answer> {
  const late = new AbortController()
  const timeout = sleep(ANSWER_MS, undefined, { signal: late.signal }).then(() => {
    throw Object.assign(new Error('no answer'), { name: 'TimeoutError' })
  })
  try {
    const given = await Promise.race([answer, timeout])
    if (given.status === 503) throw new Refused('503')
    return given
  } finally {
    late.abort()
    timeout.catch(() => {})
    answer.catch(() => {})
  }
}

const network = (random: () => number) => `10.${Math.floor(random() * 256)}.${Math.floor(random() * 256)}.7`

async function enter(place: Place, { installation, book, random }: Traffic): Promise<Browser | undefined> {
  const browser = place.browser(network(random))
  const email = pick(installation.emails as readonly [string, ...string[]], random)
  const page = await inTime(browser.get('/login'))
  if (!book.expect('the form', page.status, [200])) return undefined
  const answer = await inTime(browser.submit('/login', { flow: hiddenFlow(page.text), email, password: PASSWORD }))
  if (!book.expect('a sign-in', answer.status, [302])) return undefined
  book.counts.signIns++
  book.noteSession(sessionOf(browser), 'live')
  return browser
}

/** Signs in, and half of the time out again. */
async function signInAndOut(traffic: Traffic): Promise<void> {
  const { installation, book, random } = traffic
  const browser = await enter(pick(installation.places, random), traffic)
  await sleep(300 * random())
  if (!browser || random() < 0.5) return
  const session = sessionOf(browser)
  book.noteSession(session, 'either')
  const answer = await inTime(browser.get('/auth/signout'))
  if (!book.expect('a sign-out', answer.status, [200, 302])) return
  book.counts.signOuts++
  book.noteSession(session, 'ended')
}

/** One handoff of so many is minted by the service, which mints sixty of a user in a quarter of an hour. The others are signed here. */
const MINTED = 50

async function fetchHandoff(browser: Browser, { installation, book }: Traffic): Promise<string | null | undefined> {
  const left = await inTime(browser.get(loginPath(installation.shop)).then((answer) => goOnIn(browser, answer)))
  const handoff = left.location?.searchParams.get('eg_token')
  if (!handoff) book.expect('a handoff', left.status, [429])
  return handoff
}

/** Redeems one handoff after the other, each at every node at once. */
async function race(traffic: Traffic): Promise<void> {
  const { installation, book, random } = traffic
  const browser = await enter(pick(installation.places, random), traffic)
  for (let turn = 0; browser && turn < 200 && !traffic.isOver(); turn++) {
    const handoff = await (turn % MINTED === 0 ? fetchHandoff(browser, traffic) : installation.signHandoff())
    if (!handoff) return
    const nodes = installation.places.length > 1 ? installation.places : [...installation.places, ...installation.places]
    const answers = await Promise.allSettled(nodes.map((node) => inTime(redeemAt(node, handoff, installation))))
    book.noteRace(
      handoff,
      answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 0)),
    )
    for (const answer of answers) {
      if (answer.status === 'rejected') continue
      if (!book.expect('a redemption', answer.value.status, [200, 401])) continue
      if (answer.value.status === 200 && turn % 20 === 0)
        book.noteSession(answer.value.json<{ eg_session: string }>().eg_session, 'live', true)
    }
  }
}

/** Redeems a handoff as the shop's server does, at one node. */
export function redeemAt(place: Place, token: string, { productKey }: Installation) {
  const headers = { authorization: `Bearer ${productKey}`, 'content-type': 'application/json' }
  return place.browser('10.0.0.9').request('POST', '/auth/verify', { headers, body: JSON.stringify({ token }) })
}

/** Redeems a handoff that was redeemed before: now, or while another node was there. */
export async function redeemAgain({ installation, book, random }: Pick<Traffic, 'installation' | 'book' | 'random'>): Promise<void> {
  await sleep(100)
  const handoffs = book.handoffs()
  const handoff = handoffs[Math.floor(random() * handoffs.length)]
  if (handoff === undefined) return
  const { status } = await inTime(redeemAt(pick(installation.places, random), handoff, installation))
  if (!book.expect('a redemption that comes again', status, [200, 401])) return
  book.noteRedemptions(handoff, [status])
  book.counts.redeemedAgain++
}

/** A buyer's subscription from its first payment to its last event; each notification is sent until it is confirmed, some of them twice. */
async function buy(traffic: Traffic): Promise<void> {
  const { installation, book, random } = traffic
  const id = randomUUID()
  const email = `${id}@exemplo.com.br`
  const product_id = installation.shop.product.id
  book.buyers.set(email, { hasAccess: false, pending: true })
  await deliver(signed(activated({ email, id, product_id, payment_id: id })), traffic)
  book.buyers.set(email, { hasAccess: true, pending: false })
  if (random() < 0.6) return
  await sleep(1000 * random())
  book.buyers.set(email, { hasAccess: true, pending: true })
  await deliver(signed(later(pick(['payment.refunded', 'subscription.ended'], random), { subscription_id: id })), traffic)
  book.buyers.set(email, { hasAccess: false, pending: false })
}

async function deliver(body: string, { installation, book, random, isOver }: Traffic): Promise<void> {
  while (!isOver()) {
    const times = random() < 0.1 ? 2 : 1
    const headers = { 'content-type': 'application/json' }
    const answers = await Promise.allSettled(
      Array.from({ length: times }, () =>
        inTime(pick(installation.places, random).browser('10.0.0.8').request('POST', '/api/webhook/payment', { headers, body })),
      ),
    )
    const statuses = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 0))
    for (const status of statuses) if (status !== 0 && status !== 200) book.violate(`a notification was answered with ${status}`)
    if (statuses.includes(200)) {
      book.counts.purchases++
      return
    }
    book.counts.refused++
    await sleep(100)
  }
  throw new Refused('the soak is over')
}

/** Asks about sessions that are known, at any node, for how long an answer takes. The rounds of questions compare what is answered. */
async function askAgain({ installation, book, random, checkTimes }: Traffic): Promise<void> {
  const known = [...book.sessions.keys()].slice(-500)
  const token = known[Math.floor(random() * known.length)]
  await sleep(20)
  if (token === undefined) return
  const { atShop } = book.sessions.get(token) ?? { atShop: false }
  const before = performance.now()
  await checkAt(pick(installation.places, random), token, atShop, installation)
  checkTimes.push(performance.now() - before)
  book.counts.checks++
}

/** Whether a session is live, by one node. Throws where the node does not say. */
export async function checkAt(place: Place, token: string, atShop: boolean, { productKey }: Installation): Promise<boolean> {
  const headers = { cookie: `eg_session=${token}`, ...(atShop && { authorization: `Bearer ${productKey}` }) }
  const answer = await inTime(place.browser('10.0.0.9').request('GET', '/auth/check', { headers }))
  if (answer.status !== 200 && answer.status !== 401) throw unsaid('/auth/check', answer.status)
  return answer.json<{ authenticated: boolean }>().authenticated
}

/** Whether a buyer has access, by one node. Throws where the node does not say. */
export async function accessAt(place: Place, email: string, { productKey }: Installation): Promise<boolean> {
  const headers = { authorization: `Bearer ${productKey}` }
  const answer = await inTime(
    place.browser('10.0.0.9').request('GET', `/api/saas/check-access?email=${encodeURIComponent(email)}`, { headers }),
  )
  if (answer.status !== 200) throw unsaid('check-access', answer.status)
  return answer.json<{ active: boolean }>().active
}
