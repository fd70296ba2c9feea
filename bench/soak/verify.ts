import { setTimeout as sleep } from 'node:timers/promises'
import type { Book } from './book.ts'
import type { Installation, Place } from './installation.ts'
import { accessAt, checkAt } from './traffic.ts'

/** The time after a fault within which every node must answer correctly. */
const SETTLED_MS = 30_000
/** The most of each kind that are asked about in a round, the newest and others by chance: an hour makes many. At the end all are. */
const SAMPLE = 150

/** Asks every node about sessions and buyers, and notes each answer that contradicts one before it. `all`: not a sample. */
export async function verifyAll(
  installation: Installation,
  book: Book,
  { random, all = false }: { random: () => number; all?: boolean },
): Promise<void> {
  for (const place of installation.places) {
    const sessions = chosen([...book.sessions.keys()], random, all)
    await eachOf(sessions, (token) => verifySession(place, token, { installation, book }))
    const buyers = chosen([...book.buyers.keys()], random, all)
    await eachOf(buyers, (email) => verifyBuyer(place, email, { installation, book }))
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

type Of = { installation: Installation; book: Book }

async function verifySession(place: Place, token: string, { installation, book }: Of): Promise<void> {
  const wanted = () => book.sessions.get(token)
  const isSo = await untilTrue(async () => {
    const before = wanted()
    const isLive = await checkAt(place, token, before?.atShop ?? false, installation)
    // The book's entry may have changed while the node was asked.
    return before?.truth === 'either' || before !== wanted() || isLive === (before?.truth === 'live')
  })
  book.counts.verified++
  if (!isSo) book.violate(`node ${place.name}: a session that is ${wanted()?.truth} is not: …${token.slice(-12)}`)
}

async function verifyBuyer(place: Place, email: string, { installation, book }: Of): Promise<void> {
  const wanted = () => book.buyers.get(email)
  const isSo = await untilTrue(async () => {
    const before = wanted()
    const hasAccess = await accessAt(place, email, installation)
    return before?.pending || before !== wanted() || hasAccess === before?.hasAccess
  })
  book.counts.verified++
  if (!isSo) book.violate(`node ${place.name}: ${email} should ${wanted()?.hasAccess ? 'have' : 'not have'} access`)
}

/** Whether it becomes true in the time that a node has for it. No answer is not yet one. */
async function untilTrue(isTrue: () => Promise<boolean | undefined>): Promise<boolean> {
  const deadline = performance.now() + SETTLED_MS
  for (;;) {
    if (await isTrue().catch(() => false)) return true
    if (performance.now() > deadline) return false
    await sleep(250)
  }
}
