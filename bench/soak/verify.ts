import { setTimeout as sleep } from 'node:timers/promises'
import type { Book } from './book.ts'
import type { Installation, Place } from './installation.ts'
import { accessAt, checkAt } from './traffic.ts'

/** The time after a fault within which every node must answer. */
const SETTLED_MS = 30_000
/**
 * The time after a fault, and after a sign-in or sign-out, for which an answer about a session may be wrong. The promise is two seconds;
 * the rest is for the answers that are on their way, and for machines that do other work.
 */
const PROPAGATED_MS = 5_000
/** The most of each kind that are asked about in a round, the newest and others by chance: an hour makes many. At the end all are. */
const SAMPLE = 150

/**
 * Asks every node about sessions and buyers, and notes each answer that contradicts one before it. `all`: not a sample. `whileKilled`: a
 * node that gives no answer is only counted.
 */
export async function verifyAll(
  installation: Installation,
  book: Book,
  { random, all = false, whileKilled = false }: { random: () => number; all?: boolean; whileKilled?: boolean },
): Promise<void> {
  const of = { installation, book, whileKilled, startedAt: performance.now() }
  for (const place of installation.places) {
    const sessions = chosen([...book.sessions.keys()], random, all)
    await eachOf(sessions, (token) => verifySession(place, token, of))
    const buyers = chosen([...book.buyers.keys()], random, all)
    await eachOf(buyers, (email) => verifyBuyer(place, email, of))
  }
}

function chosen(all: string[], random: () => number, whole: boolean): string[] {
  if (whole || all.length <= SAMPLE) return all
  const newest = all.slice(-SAMPLE / 3)
  return [...newest, ...Array.from({ length: SAMPLE - newest.length }, () => all[Math.floor(random() * all.length)] ?? '')]
}

async function eachOf(names: readonly string[], work: (name: string) => Promise<void>): Promise<void> {
  const waiting = [...names]
  const go = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) await work(name)
  }
  await Promise.all(Array.from({ length: 8 }, go))
}

type Of = { installation: Installation; book: Book; whileKilled: boolean; startedAt: number }

async function verifySession(place: Place, token: string, of: Of): Promise<void> {
  const { installation, book } = of
  const wanted = () => book.sessions.get(token)
  const outcome = await untilTrue(
    async () => {
      const before = wanted()
      const isLive = await checkAt(place, token, before?.atShop ?? false, installation)
      // The book's entry may have changed while the node was asked.
      return before?.truth === 'either' || before !== wanted() || isLive === (before?.truth === 'live')
    },
    () => Math.max(of.startedAt, wanted()?.since ?? 0) + PROPAGATED_MS,
  )
  note(outcome, of, `node ${place.name}: a session that is ${wanted()?.truth} is not: …${token.slice(-12)}`)
}

async function verifyBuyer(place: Place, email: string, of: Of): Promise<void> {
  const { installation, book } = of
  const wanted = () => book.buyers.get(email)
  const outcome = await untilTrue(async () => {
    const before = wanted()
    const hasAccess = await accessAt(place, email, installation)
    return before?.pending || before !== wanted() || hasAccess === before?.hasAccess
  })
  note(outcome, of, `node ${place.name}: ${email} should ${wanted()?.hasAccess ? 'have' : 'not have'} access`)
}

function note(outcome: Outcome, { book, whileKilled }: Of, sentence: string): void {
  if (outcome === 'true') book.counts.verified++
  else if (outcome === 'unanswered' && whileKilled) book.counts.unanswered++
  else book.violate(`${sentence} (${outcome})`)
}

type Outcome = 'true' | 'false' | 'unanswered'

/**
 * Asks until the answer is yes, or the node's time is over. `forgivenUntil`: from when on a no is believed, by `performance.now`; without
 * it, it is believed when the node's time is over.
 */
async function untilTrue(isTrue: () => Promise<boolean | undefined>, forgivenUntil?: () => number): Promise<Outcome> {
  const deadline = performance.now() + SETTLED_MS
  for (let wasAnswered = false; ; ) {
    const askedAt = performance.now()
    const isSo = await isTrue().catch(() => 'unanswered' as const)
    if (isSo === true) return 'true'
    if (isSo !== 'unanswered' && forgivenUntil && askedAt > forgivenUntil()) return 'false'
    wasAnswered ||= isSo !== 'unanswered'
    if (performance.now() > deadline) return wasAnswered ? 'false' : 'unanswered'
    await sleep(250)
  }
}
