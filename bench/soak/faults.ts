import { setTimeout as sleep } from 'node:timers/promises'
import type { Book } from './book.ts'
import { failOver, type Installation, type Place, startAgain } from './installation.ts'
import { pick } from './random.ts'
import { verifyAll } from './verify.ts'

const MINUTE_MS = 60_000

/** A fault that was made: its name, and when it began and was over, in ms since the start. */
export interface Fault {
  name: keyof typeof faults
  from: number
  to: number
}

interface Made {
  installation: Installation
  random: () => number
}

/** The last node is killed, the first never: what it holds after hours is what a leak would show. */
const last = ({ places }: Installation): Place => places.at(-1) ?? places[0]
const between = (from: number, to: number, random: () => number) => from + (to - from) * random()

const faults = {
  async killed({ installation, random }: Made) {
    const place = last(installation)
    place.server.child.kill('SIGKILL')
    await place.server.exited
    await sleep(between(0, 2_000, random))
    await startAgain(place)
  },
  async frozen({ installation, random }: Made) {
    const { server } = pick(installation.places, random)
    server.child.kill('SIGSTOP')
    await sleep(between(1_000, 8_000, random))
    server.child.kill('SIGCONT')
  },
  async clock({ installation, random }: Made) {
    const { server } = pick(installation.places, random)
    server.setClock(between(-30 * MINUTE_MS, 30 * MINUTE_MS, random))
    await sleep(between(5_000, 20_000, random))
    server.setClock(0)
  },
  async away({ installation, random }: Made) {
    installation.cluster?.proxy.cut()
    await sleep(between(500, 6_000, random))
    await installation.cluster?.proxy.restore()
  },
  async silent({ installation, random }: Made) {
    installation.cluster?.proxy.freeze()
    await sleep(between(500, 6_000, random))
    await installation.cluster?.proxy.restore()
  },
  async failover({ installation }: Made) {
    if (installation.cluster) await failOver(installation.cluster)
  },
}

/** How often each comes. What only a database server can have does not happen to a file. */
const weights = {
  sqlite: ['killed', 'killed', 'killed', 'frozen', 'clock'],
  postgres: ['killed', 'killed', 'killed', 'frozen', 'clock', 'away', 'silent', 'failover'],
} as const

/** One fault after the other until the soak is over, with questions about everything after each; `asked` chooses what they are about. */
export async function makeFaults(
  { installation, random, asked, book, isOver }: Made & { asked: () => number; book: Book; isOver: () => boolean },
  note: (fault: Fault) => void,
): Promise<void> {
  const startedAt = performance.now()
  while (!isOver()) {
    await sleep(between(2_000, 10_000, random))
    const name = pick(weights[installation.database], random)
    const from = performance.now() - startedAt
    book.isClockWrong = name === 'clock'
    await faults[name]({ installation, random })
    note({ name, from, to: performance.now() - startedAt })
    await verifyAll(installation, book, { random: asked })
    book.isClockWrong = false
  }
}
