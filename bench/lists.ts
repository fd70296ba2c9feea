import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { keepDays, MAX_DAYS } from '../server/src/admin/index.ts'
import { countStreams } from '../server/src/reports/index.ts'
import { startPostgres } from '../server/test/support/postgres.ts'
import { median, quantile, type Row } from './harness/figures.ts'
import { moveToServerCore } from './harness/processes.ts'
import { fillSeed, MIXED, type Seed } from './harness/seed.ts'
import { open, openOne, type Place } from './list-places.ts'
import { listsOf, unindexedOf } from './seed-lists.ts'

const SMALL = 1_000
const WARM = 5
const WORST = 3
const NOTED = 3
const MAX_FIRST_MS = 300
/** The console's home, and the report of this month. */
const HOME = ['/overview?month=now', '/reports/monthly']
const LAST_MONTH = '/reports/monthly?month='

/** All lists are gone through so many times, and each is asked for so often in each of them, of either side. */
interface Rounds {
  count: number
  calls: number
}

/** A database with a thousand users and one with very many, by their addresses. */
interface Pair {
  small: string
  big: string
}

interface Given {
  fresh: (name: string) => string
  large: number
  rounds: Rounds
  /** Where databases are that may be filled already, and stay: a folder, and a PostgreSQL server with databases `small` and `large`. */
  kept: { folder: string; postgres: string } | undefined
}

/**
 * The lists of the admin API with a thousand users and with very many, on both databases: how many times as long the slowest twentieth
 * takes.
 */
export async function measureLists({ fresh, large, rounds, kept }: Given): Promise<Row[]> {
  const postgres = kept ? { url: kept.postgres, stop: async () => {} } : await startPostgres('on_disk')
  try {
    const file = (name: string) => `sqlite:${path.join(kept ? path.join(kept.folder, name) : fresh(`lists-${name}`), 'portaria.db')}`
    const pairs = {
      SQLite: { small: file('small'), big: file('large') },
      PostgreSQL: await twoDatabases(postgres.url, kept ? 'there' : 'fresh'),
    }
    const startedAt = performance.now()
    for (const pair of Object.values(pairs)) await fill(pair, large)
    process.stderr.write(`filled in ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes\n`)
    const rows: Row[] = []
    for (const [name, pair] of Object.entries(pairs)) rows.push(...(await compare(name, pair, { large, rounds })))
    return rows
  } finally {
    await postgres.stop()
  }
}

/** On one server, which is moved to the servers' core, with what it starts from then on. */
async function twoDatabases(url: string, are: 'fresh' | 'there'): Promise<Pair> {
  const { Client } = await import('pg')
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('show data_directory')
  moveToServerCore(Number.parseInt(readFileSync(path.join(rows[0].data_directory, 'postmaster.pid'), 'utf8'), 10))
  if (are === 'fresh') for (const name of ['small', 'large']) await client.query(`create database ${name}`)
  await client.end()
  const [small, big] = ['/small', '/large'].map((pathname) => Object.assign(new URL(url), { pathname }).href)
  return { small: small ?? '', big: big ?? '' }
}

async function fill({ small, big }: Pair, large: number): Promise<void> {
  for (const [url, users] of [
    [small, SMALL],
    [big, large],
  ] as const) {
    const context = await openOne(url)
    await fillSeed(context, users, MIXED)
    // Else the first commits wait until all that is on disk, longer than the service waits for an answer.
    if (context.storage.address.dialect === 'postgres') await sql`checkpoint`.execute(context.storage.db)
    // As a service does in the background: a million streams take a quarter of an hour, once.
    await countStreams(context)
    await keepDays(context.storage.db, MAX_DAYS, Date.now())
    await context.close()
  }
}

interface Measured {
  address: string
  /** Ms of every call. */
  small: number[]
  big: number[]
  /** Ms of processor time of all calls. */
  cpu: { small: number; big: number }
  /** The large p95 to the small one, one of each round: their median is no worse for a machine that stops for a moment. */
  ratios: number[]
}

async function compare(name: string, urls: Pair, { large, rounds }: Pick<Given, 'large' | 'rounds'>): Promise<Row[]> {
  const [small, big] = [await open(urls.small, SMALL), await open(urls.big, large)]
  const users = `1,000 to ${large.toLocaleString('en')} users and ${(5 * large).toLocaleString('en')} events`
  const pages = [...HOME, `${LAST_MONTH}${monthBefore(Date.now())}`]
  const months: Row[] = []
  // As the console does before: it loads the operations.
  for (const place of [small, big]) await place.ask('/me')
  for (const page of pages) months.push(await rowOfPage(page, { name, small, big }))
  const indexed = await measureAll(listsOf, { small, big, rounds })
  const unindexed = await measureAll(unindexedOf, { small, big, rounds: { ...rounds, count: 1 } })
  for (const place of [small, big]) await place.close()
  return [
    { ...rowOf(`admin lists, p95, ${users}, ${name}`, indexed), target: { text: `≤ ${WORST}`, met: ratioOf(indexed[0]) <= WORST } },
    rowOf(`users by what has no index in the order of addresses, p95, the same, ${name}`, unindexed),
    ...months,
  ]
}

/** Asked once, and then again. */
async function rowOfPage(page: string, { name, small, big }: Places & { name: string }): Promise<Row> {
  const first = await big.ask(page)
  await small.ask(page)
  const [ofSmall, again] = [await small.ask(page), await big.ask(page)]
  return {
    figure: `\`${page.replace(/\d{4}-\d\d$/, '…')}\` of the console's home, the same, ${name}`,
    value: `**${again.toFixed(0)} ms**`,
    beside: `${ofSmall.toFixed(0)} ms with a thousand; ${first.toFixed(0)} ms the first time`,
    target: { text: `≤ ${MAX_FIRST_MS} ms the first time`, met: first <= MAX_FIRST_MS },
  }
}

function monthBefore(now: number): string {
  const at = new Date(now)
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1, 1)).toISOString().slice(0, 7)
}

/** The worst first. */
async function measureAll(listed: (seed: Seed) => string[], { small, big, rounds }: Places & { rounds: Rounds }): Promise<Measured[]> {
  const inBig = listed(big.seed)
  const found = listed(small.seed).map((inSmall, i) => ({
    inSmall,
    ...{ address: inBig[i] ?? '', small: [], big: [], cpu: { small: 0, big: 0 }, ratios: [] },
  }))
  for (let round = 0; round < rounds.count; round++)
    for (const one of found) await measure(one, one.inSmall, { small, big, calls: rounds.calls })
  return found.toSorted((a, b) => ratioOf(b) - ratioOf(a))
}

async function measure(found: Measured, inSmall: string, { small, big, calls }: Places & { calls: number }): Promise<void> {
  const took = { small: [] as number[], big: [] as number[] }
  for (let call = -WARM; call < calls; call++) {
    if (call === 0) for (const place of [small, big]) await place.look()
    for (const side of call % 2 === 0 ? (['small', 'big'] as const) : (['big', 'small'] as const)) {
      const place = side === 'small' ? small : big
      const before = place.cpuMs()
      const ms = await place.ask(side === 'small' ? inSmall : found.address)
      if (call < 0) continue
      took[side].push(ms)
      found.cpu[side] += place.cpuMs() - before
    }
  }
  found.ratios.push(quantile(took.big, 0.95) / quantile(took.small, 0.95))
  found.small.push(...took.small)
  found.big.push(...took.big)
}

function rowOf(figure: string, found: readonly Measured[]): Row {
  const notes = found.slice(0, NOTED).map((one) => {
    const [ofBig, ofSmall] = [one.big, one.small].map((calls) => quantile(calls, 0.95).toFixed(1))
    return `\`${one.address}\` ${ratioOf(one).toFixed(2)} (of all calls ${ofBig} ms against ${ofSmall})`
  })
  const slow = found.filter((one) => ratioOf(one) > WORST).length
  const byCpu = (one: Measured) => one.cpu.big / one.cpu.small
  const [dearest] = found.toSorted((a, b) => byCpu(b) - byCpu(a))
  if (dearest) notes.push(`by CPU time the worst **${byCpu(dearest).toFixed(2)}**: \`${dearest.address}\``)
  return {
    figure: `${figure}: the worst of ${found.length}`,
    value: `**${ratioOf(found[0]).toFixed(2)}** times`,
    beside: [...(slow > 0 ? [`${slow} above ${WORST}`] : []), ...notes].join('; '),
  }
}

function ratioOf(found: Measured | undefined): number {
  return median(found?.ratios ?? [])
}

interface Places {
  small: Place
  big: Place
}
