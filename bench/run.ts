// `npm run bench`: the service against the least that the same work can cost, side by side. `-- --quick` for a first look while developing;
// words (`checks`, `forward`, `openid`, `growth`, `growth-postgres`, `purchases`, `postgres`, `events`, `gateways`, `lists`, `burst`,
// `bursts`, `enumeration`, `client`, `sizes`, `housekeeping`, `counting`, `start`, `soak`, `kills`) choose parts. README.md says what
// `--kept-…` is.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { measureBursts } from './bursts/bursts.ts'
import { measureChecks } from './checks.ts'
import { measureClient } from './client.ts'
import { measureGrowthOnPostgres } from './databases/growth-postgres.ts'
import { measurePostgres } from './databases/postgres.ts'
import { measureSizes } from './databases/sizes.ts'
import { measureEnumeration } from './enumeration.ts'
import { measureEvents } from './events/events.ts'
import { measureForwardAuth } from './forward-auth.ts'
import { measureGateways } from './gateways.ts'
import { measureGrowth } from './growth.ts'
import { type Row, tableHead, tableLine } from './harness/figures.ts'
import { makeFixture } from './harness/fixture.ts'
import { pinLoad, startService } from './harness/processes.ts'
import { measureCounting } from './housekeeping/counting.ts'
import { measureHousekeeping } from './housekeeping/housekeeping.ts'
import { measureLists } from './lists.ts'
import { measureOpenId } from './openid.ts'
import { measurePurchases } from './purchases.ts'
import { measureBurst } from './sign-ins.ts'
import { measureKills } from './soak/kills.ts'
import { measureSoak } from './soak/soak.ts'
import { measureStart } from './start.ts'

const { values: options, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    'kept-sqlite': { type: 'string' },
    'kept-postgres': { type: 'string' },
    users: { type: 'string', default: '1000000' },
    hours: { type: 'string', default: '2' },
    kills: { type: 'string', default: '1000' },
    races: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    database: { type: 'string', default: 'postgres' },
  },
})
const { quick: isQuick, 'kept-sqlite': folderOfKept, 'kept-postgres': urlOfKept } = options
const folder = mkdtempSync(path.join(tmpdir(), 'portaria-bench-'))

const parts: Record<string, () => Promise<Row[]>> = {
  checks: () => measureChecks({ fresh, rounds: isQuick ? { count: 15, ms: 150 } : { count: 21, ms: 1_000 } }),
  forward: () => measureForwardAuth({ fresh, rounds: isQuick ? { count: 15, ms: 150 } : { count: 21, ms: 1_000 } }),
  openid: () => measureOpenId({ fresh, rounds: isQuick ? { count: 7, each: 300 } : { count: 21, each: 500 } }),
  growth: () => measureGrowth({ fresh, ...(isQuick ? { rounds: 7, large: 50_000 } : { rounds: 21, large: 1_000_000 }) }),
  'growth-postgres': () =>
    measureGrowthOnPostgres({ fresh, ...(isQuick ? { rounds: 7, large: 50_000 } : { rounds: 15, large: numberOfUsers() }) }),
  purchases: () =>
    measurePurchases({
      fresh,
      ...(isQuick ? { rounds: { count: 7, ms: 150 }, large: 50_000 } : { rounds: { count: 21, ms: 500 }, large: 1_000_000 }),
    }),
  events: () =>
    measureEvents({
      fresh,
      ...(isQuick
        ? { rounds: { count: 5, ms: 0 }, events: 50, waiting: 50_000 }
        : { rounds: { count: 21, ms: 0 }, events: 200, waiting: 1_000_000 }),
    }),
  postgres: () => measurePostgres({ fresh, rounds: { count: isQuick ? 5 : 15, ms: 0 } }),
  gateways: () => measureGateways({ fresh, rounds: { count: isQuick ? 7 : 21, ms: 0 } }),
  lists: () =>
    measureLists({
      fresh,
      kept: folderOfKept === undefined || urlOfKept === undefined ? undefined : { folder: folderOfKept, postgres: urlOfKept },
      ...(isQuick ? { rounds: { count: 3, calls: 40 }, large: 50_000 } : { rounds: { count: 5, calls: 40 }, large: 1_000_000 }),
    }),
  burst,
  bursts,
  enumeration,
  sizes: () => measureSizes({ fresh, count: isQuick ? 500 : 3_000 }),
  housekeeping: () => measureHousekeeping({ fresh, rows: isQuick ? 3_000_000 : 10_000_000 }),
  counting: async () => [await measureCounting({ fresh, purchases: isQuick ? 600_000 : 1_000_000 })],
  client: () => measureClient(isQuick ? { rounds: 5, tokens: 500 } : { rounds: 21, tokens: 1_000 }),
  start: async () => {
    const home = fresh('start')
    await (await makeFixture(home, 1_000)).context.close()
    return [await measureStart(home)]
  },
  soak,
  kills,
}

/** They take hours, so they are measured only where they are named. */
const ONLY_BY_NAME = ['soak', 'kills']

try {
  const unknown = chosen.filter((argument) => !(argument in parts))
  if (unknown.length > 0) throw new Error(`no such part: ${unknown.join(', ')}. There are: ${Object.keys(parts).join(', ')}`)
  const cores = availableParallelism()
  // A trial compares nothing: its nodes and its load have all cores.
  const isTrial = chosen.length > 0 && chosen.every((name) => ONLY_BY_NAME.includes(name))
  console.log(
    `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cores} cores (${processor()}); ${isTrial ? 'nobody pinned' : pinLoad()}${isQuick ? '; QUICK: shortened rounds' : ''}\n`,
  )
  console.log(tableHead)
  for (const [name, measure] of Object.entries(parts)) {
    if (chosen.length > 0 ? !chosen.includes(name) : ONLY_BY_NAME.includes(name)) continue
    process.stderr.write(`measuring: ${name}\n`)
    for (const row of await measure()) console.log(tableLine(row))
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function numberOfUsers(): number {
  const users = Number(options.users)
  if (!Number.isInteger(users) || users < 1_000) throw new Error('--users is a number from 1000 on')
  return users
}

async function burst(): Promise<Row[]> {
  const fixture = await makeFixture(fresh('burst'), 20_000)
  const service = await startService(fixture.folder)
  const rows = await measureBurst({ fixture, service, ...(isQuick ? { seconds: 3, turns: 3 } : { seconds: 10, turns: 7 }) })
  await service.stop()
  await fixture.context.close()
  return rows
}

async function bursts(): Promise<Row[]> {
  const fixture = await makeFixture(fresh('bursts'), 20_000)
  const service = await startService(fixture.folder)
  const rows = await measureBursts({ fixture, service, ...(isQuick ? { seconds: 3, turns: 3 } : { seconds: 10, turns: 7 }) })
  await service.stop()
  await fixture.context.close()
  return rows
}

async function soak(): Promise<Row[]> {
  const { seed, database } = trialOptions()
  const hours = Number(options.hours)
  if (!(hours > 0)) throw new Error('--hours is a number of hours, as 2 or 0.1')
  const picture = path.join(tmpdir(), `portaria-soak-${database}-${seed}.svg`)
  process.stderr.write(`seed ${seed}; the picture grows in ${picture}\n`)
  return measureSoak({ hours, seed, database, picture })
}

async function kills(): Promise<Row[]> {
  const [count, races] = [Number(options.kills), Number(options.races)]
  if (!Number.isInteger(count) || !Number.isInteger(races)) throw new Error('--kills and --races are whole numbers')
  return measureKills({ kills: count, races, ...trialOptions() })
}

function trialOptions(): { seed: number; database: 'sqlite' | 'postgres' } {
  const [seed, { database }] = [Number(options.seed), options]
  if (!Number.isInteger(seed)) throw new Error('--seed is a whole number')
  if (database !== 'sqlite' && database !== 'postgres') throw new Error('--database is sqlite or postgres')
  return { seed, database }
}

async function enumeration(): Promise<Row[]> {
  const fixture = await makeFixture(fresh('enumeration'), 5_000)
  const service = await startService(fixture.folder)
  const rows = await measureEnumeration({ fixture, service, tries: isQuick ? 100 : 400 })
  await service.stop()
  await fixture.context.close()
  return rows
}

function fresh(name: string): string {
  const made = path.join(folder, name)
  mkdirSync(made)
  return made
}

function processor(): string {
  try {
    return /model name\s*:\s*(.*)/.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1] ?? 'unknown processor'
  } catch {
    return 'unknown processor'
  }
}
