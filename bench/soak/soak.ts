import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { median, type Row } from '../harness/figures.ts'
import { Book } from './book.ts'
import { type Fault, makeFaults } from './faults.ts'
import { type Installation, openInstallation } from './installation.ts'
import { type Observation, observe } from './observations.ts'
import { draw } from './picture.ts'
import { randomFrom } from './random.ts'
import { startTraffic } from './traffic.ts'
import { verifyAll } from './verify.ts'

const OBSERVED_EVERY_MS = 5_000
const HOUR_MS = 3_600_000

export interface SoakOptions {
  hours: number
  /** The requests and faults, and their times, follow from the seed. The state that they meet does not. */
  seed: number
  database: Installation['database']
  /** Where the picture goes. */
  picture: string
}

/** Mixed traffic with faults for hours. All along every node is asked about the states that must be true. */
export async function measureSoak({ hours, seed, database, picture }: SoakOptions): Promise<Row[]> {
  const random = randomFrom(seed)
  const installation = await openInstallation(database)
  const book = new Book()
  const [observations, faults]: [Observation[], Fault[]] = [[], []]
  const startedAt = performance.now()
  const isOver = () => performance.now() - startedAt > hours * HOUR_MS
  const traffic = { installation, book, random: randomFrom(seed + 1), isOver, checkTimes: [] as number[] }
  const title = `${database}, seed ${seed}`
  try {
    const working = startTraffic(traffic)
    const watching = watch(async () => {
      observations.push(await observe(traffic, startedAt))
      writeFileSync(picture, draw(title, { observations, faults }))
    }, isOver)
    await makeFaults({ installation, random, asked: randomFrom(seed + 2), book, isOver }, (fault) => faults.push(fault))
    await Promise.all([...working, watching])
    // Nothing goes on now: everything is asked about once more.
    await verifyAll(installation, book, { random, all: true })
  } finally {
    await installation.close()
  }
  for (const [fault, times] of installation.logged) process.stderr.write(`logged ${times} times: ${fault}\n`)
  for (const violation of book.violations.slice(0, 20)) process.stderr.write(`${violation}\n`)
  return rowsOf({ title, hours, book, faults, observations, picture })
}

async function watch(look: () => Promise<void>, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await look()
    await sleep(OBSERVED_EVERY_MS)
  }
}

function rowsOf({
  title,
  hours,
  book,
  faults,
  observations,
  picture,
}: {
  title: string
  hours: number
  book: Book
  faults: readonly Fault[]
  observations: readonly Observation[]
  picture: string
}): Row[] {
  const { counts, violations } = book
  const made = Object.entries(Object.groupBy(faults, ({ name }) => name)).map(([name, list]) => `${list.length} ${name}`)
  const done = `${counts.signIns} sign-ins, ${counts.signOuts} sign-outs, ${counts.races} races for a handoff, ${counts.redeemedAgain} handoffs redeemed again later, ${counts.purchases} notifications`
  const memory = observations.flatMap(({ values }) => values['memory of node a, MB'] ?? [])
  const quarter = Math.ceil(memory.length / 4)
  const [early, late] = [median(memory.slice(quarter, 2 * quarter)), median(memory.slice(-quarter))]
  const rows = [
    {
      figure: `soak, ${hours} h, ${title}: answers that contradict one before, and handoffs redeemed twice or refused by all`,
      value: `**${violations.length}**`,
      target: { text: '0', met: violations.length === 0 },
      beside: `${counts.verified} questions; ${done}; ${counts.refused} refused for now; ${made.join(', ')}`,
    },
    {
      figure: `soak, ${hours} h, ${title}: memory of the node that was never killed, the last quarter against the second`,
      value: `**${(late / early).toFixed(2)}** times`,
      beside: `${early.toFixed(0)} MB, then ${late.toFixed(0)} MB; picture: ${picture}`,
    },
  ]
  // On SQLite there is one node, which is killed again and again.
  return observations.some(({ values }) => 'memory of node b, MB' in values) ? rows : rows.slice(0, 1)
}
