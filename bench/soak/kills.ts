import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '../harness/figures.ts'
import { Book } from './book.ts'
import { type Installation, openInstallation, type Place, startAgain } from './installation.ts'
import { randomFrom } from './random.ts'
import { isOfNetwork, redeemAgain, redeemAt, startTraffic } from './traffic.ts'
import { verifyAll } from './verify.ts'

/** Handoffs that are redeemed at the same time, each at every node. */
const RACERS = 16
/** A node lives for up to so long before it is killed again. */
const LIFE_MS = 2_000
/** After so many kills, all nodes are asked about a sample. */
const ASKED_EVERY = 20
/** While nobody but the racers is there, a node is killed so often. */
const BETWEEN_MS = 30_000
const PROGRESS_MS = 30_000
const LOG_LOOK_MS = 250

export interface KillsOptions {
  kills: number
  races: number
  /** The times of kills and the requests follow from the seed. The state that they meet does not. */
  seed: number
  database: Installation['database']
}

/**
 * Two nodes over one PostgreSQL, or four processes over one file of SQLite. They are killed again and again, at the same time or in turn,
 * while people sign in and out, pay and redeem. Then handoffs are redeemed at all of them at once, with a kill now and then.
 */
export async function measureKills({ kills, races, seed, database }: KillsOptions): Promise<Row[]> {
  const installation = await openInstallation(database, database === 'sqlite' ? ['a', 'b', 'c', 'd'] : ['a', 'b'])
  const book = new Book()
  const random = randomFrom(seed)
  const made = { kills: 0 }
  const trial = { installation, book, random, made }
  const startedAt = performance.now()
  const progress = setInterval(() => {
    const { counts, violations } = book
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(0)
    process.stderr.write(
      `${minutes} min: ${made.kills} kills, ${counts.races} races, ${counts.purchases} notifications, ${violations.length} contradictions\n`,
    )
  }, PROGRESS_MS)
  const log = watchLog(installation)
  try {
    const isKilled = () => made.kills >= kills
    const working = startTraffic({ installation, book, random: randomFrom(seed + 1), isOver: isKilled, checkTimes: [] })
    await Promise.all([...working, ...startRacers(trial, isKilled), ...installation.places.map((place) => kill(place, trial, isKilled))])
    await verifyAll(installation, book, { random, all: true })
    const isOver = () => book.counts.races >= races
    await Promise.all([...startRacers(trial, isOver), killNowAndThen(trial, isOver)])
    await verifyAll(installation, book, { random, all: true })
  } finally {
    clearInterval(progress)
    log.stop()
    await installation.close()
  }
  for (const [fault, times] of installation.logged) process.stderr.write(`logged ${times} times: ${fault}\n`)
  for (const violation of book.violations.slice(0, 20)) process.stderr.write(`${violation}\n`)
  const { counts, violations } = book
  return [
    {
      figure: `kills, ${database}, seed ${seed}: answers that contradict one before, and handoffs redeemed twice or refused by all`,
      value: `**${violations.length}**`,
      target: { text: '0', met: violations.length === 0 },
      beside: `${made.kills} kills of ${installation.places.length} nodes, ${counts.races} races for a handoff, ${counts.redeemedAgain} handoffs redeemed again later, ${counts.signIns} sign-ins, ${counts.signOuts} sign-outs, ${counts.purchases} notifications; ${counts.verified} questions, ${counts.unanswered} without an answer while the node was killed again and again; ${counts.refused} refused for now${log.said()}`,
    },
  ]
}

/**
 * SQLite's write-ahead log, which readers that never leave a gap would make grow, and how often a node found the file locked for too long.
 */
function watchLog({ file, logged }: Installation) {
  let mostBytes = 0
  const look = () => {
    if (file !== undefined) mostBytes = Math.max(mostBytes, statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0)
  }
  const timer = setInterval(look, LOG_LOOK_MS)
  return {
    stop: () => clearInterval(timer),
    said() {
      if (file === undefined) return ''
      const locked = [...logged].filter(([fault]) => /busy|locked/i.test(fault)).reduce((sum, [, times]) => sum + times, 0)
      return `; write-ahead log of ${(mostBytes / 2 ** 20).toFixed(0)} MB at most, the file locked for too long ${locked} times`
    },
  }
}

interface Trial {
  installation: Installation
  book: Book
  random: () => number
  made: { kills: number }
}

async function kill(place: Place, { installation, book, random, made }: Trial, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await sleep(LIFE_MS * random())
    await killOnce(place, made)
    if (made.kills % ASKED_EVERY === 0) await verifyAll(installation, book, { random, whileKilled: true })
  }
}

async function killNowAndThen({ installation, random, made }: Trial, isOver: () => boolean): Promise<void> {
  for (let turn = 0; !isOver(); turn++) {
    for (let waited = 0; waited < BETWEEN_MS * random() && !isOver(); waited += 500) await sleep(500)
    const place = installation.places[turn % installation.places.length]
    if (place && !isOver()) await killOnce(place, made)
  }
}

async function killOnce(place: Place, made: Trial['made']): Promise<void> {
  place.server.child.kill('SIGKILL')
  await place.server.exited
  made.kills++
  await startAgain(place)
}

function startRacers(trial: Trial, isOver: () => boolean): Promise<void>[] {
  return Array.from({ length: RACERS }, () => race(trial, isOver))
}

/** Of all redemptions of one handoff exactly one succeeds. Where a node died, its answer is not known, and none may have been seen. */
async function race({ installation, book, random }: Trial, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const handoff = await installation.signHandoff()
    const answers = await Promise.allSettled(installation.places.map((place) => redeemAt(place, handoff, installation)))
    const statuses = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 0))
    book.noteRace(handoff, statuses)
    for (const status of statuses) if (![0, 200, 401, 503].includes(status)) book.violate(`a redemption was answered with ${status}`)
    if (statuses.includes(0)) await sleep(50) // a node is starting
    if (random() < 0.1) await redeemAgain({ installation, book, random }).catch(unlessOfNetwork)
    const won = answers.find((answer) => answer.status === 'fulfilled' && answer.value.status === 200)
    if (won?.status === 'fulfilled' && book.counts.races % 100 === 0)
      book.noteSession(won.value.json<{ eg_session: string }>().eg_session, 'live', true)
  }
}

/** A node that is starting answers nobody. */
function unlessOfNetwork(error: unknown): void {
  if (!isOfNetwork(error)) throw error
}
