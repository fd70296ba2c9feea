// `npm test`: every check and every kind of test. `npm test -- contract security` runs the kinds named, `npm test -- FILE…` those files
// with what they need. `--times` has it end with what each process of tests took of the CPU, the dearest first, and how long it ran.
import { existsSync, globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { roomyMemoryFolder } from '../server/test/support/memory-folder.ts'
import { type Commits, startPostgres, type TestPostgres } from '../server/test/support/postgres.ts'
import { buildConsole } from './build/console.ts'
import { buildClient, runChecks } from './check.ts'
import { type Batch, inPool, runBatch, type Tally } from './run-tests.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The tests of floors and style are among the checks. */
const kinds = {
  rules: ['server/src/**/*.test.ts', 'server/test/!(floors|style).test.ts'],
  contract: ['server/test/contract/**/*.test.ts'],
  security: ['server/test/security/**/*.test.ts'],
  client: ['client/{src,test}/**/*.test.ts'],
  console: ['console/{src,test}/**/*.test.ts'],
  newcomers: ['client/newcomers/**/*.test.ts'],
  faults: ['server/test/faults/**/*.test.ts'],
  journeys: ['e2e/**/*.test.ts'],
}

/** Kinds that use nothing that is built, or that build it themselves. */
const unbuilt = ['rules', 'security', 'faults']

/** Kinds whose files share processes, so many files in one. Faults and newcomers are about what the programs they start leave behind. */
const filesPerProcess: Record<string, number> = { rules: 32, contract: 16, security: 16, client: 12, console: 8, journeys: 3 }

/** These judge what their process holds in memory, or how quickly it answers. */
const alone = ['server/src/sessions/check/check-memory.test.ts', 'server/test/security/responsiveness.test.ts']

/** The longest begins first, so that little is left to wait for at the end. */
const order = ['newcomers', 'faults', 'journeys', 'check', 'contract', 'security', 'rules', 'client', 'console']

/** Several times what all of them take; a very slow machine needs most of it. */
const LIMIT_MS = 85 * 60_000

type Wanted = [kind: string, globs: string[]][]

type Task = () => Promise<void>

/**
 * The compile cache: code that Node has compiled once need not be compiled again in each of dozens of processes. That saves a third of a
 * second for the whole service.
 */
process.env.NODE_COMPILE_CACHE ??= path.join(root, 'node_modules', '.cache', 'compiled')

const scratch = makeScratch()
const total: Tally = { passed: 0, failed: 0 }
const times: { files: Batch; cpuSeconds: number; seconds: number }[] = []
const late = setTimeout(() => {
  console.log('✖ the tests have not ended in time')
  end(1)
}, LIMIT_MS)
try {
  await main(process.argv.slice(2).filter((argument) => argument !== '--times'))
} catch (error) {
  console.error(error)
  total.failed += 1
}
clearTimeout(late)
if (process.argv.includes('--times')) printTimes()
end(0)

function end(more: number): void {
  console.log(`${total.passed} passed, ${total.failed + more} failed`)
  process.exit(total.failed + more === 0 ? 0 : 1)
}

async function main(names: string[]): Promise<void> {
  const wanted = findWanted(names)
  const isChecked = names.length === 0 || names.includes('check')
  const isOfFiles = names.length > 0 && wanted.every(([kind]) => !names.includes(kind))
  const needsBuild = wanted.length > 0 && !(isOfFiles && wanted.every(([kind]) => unbuilt.includes(kind)))
  const isBuilt = isChecked || needsBuild
  const kindsWanted = wanted.map(([kind]) => kind)
  const servers = await Promise.all([
    // Faults are about the disk, which the others do not wait for.
    kindsWanted.includes('faults') ? startPostgresUnlessGiven('on_disk') : undefined,
    kindsWanted.some((kind) => kind !== 'faults') ? startPostgresUnlessGiven('in_memory') : undefined,
    // Before any test: nobody may find it half written.
    isBuilt && buildClient(),
    needsBuild && buildConsole(),
  ])
  const [onDisk, inMemory] = servers
  try {
    const tasks = wanted.map(([kind, globs]) => [kind, tasksOf(kind, globs, kind === 'faults' ? onDisk : inMemory)] as const)
    if (isChecked) tasks.push(['check', account('check', [runChecks])])
    await inPool(tasks.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)).flatMap(([, list]) => list))
  } finally {
    await Promise.all([onDisk?.stop(), inMemory?.stop()])
  }
}

/** Everything when nothing is named; else the kinds that are named, and files under their kind. */
function findWanted(names: string[]): Wanted {
  if (names.length === 0) return Object.entries(kinds)
  const files = names.filter((name) => name !== 'check' && !(name in kinds)).map((name) => path.relative(root, path.resolve(name)))
  const unknown = files.filter((file) => !file.endsWith('.test.ts') || !existsSync(path.join(root, file)))
  if (unknown.length > 0)
    throw new Error(`neither a kind of test nor a test file: ${unknown.join(', ')}. The kinds are check, ${Object.keys(kinds).join(', ')}`)
  const kindOf = (file: string) =>
    Object.entries(kinds).find(([, globs]) => globs.some((glob) => path.matchesGlob(file, glob)))?.[0] ?? 'rules'
  return Object.entries(kinds).flatMap(([kind, globs]): Wanted => {
    const own = files.filter((file) => kindOf(file) === kind)
    if (names.includes(kind)) return [[kind, globs]]
    return own.length > 0 ? [[kind, own]] : []
  })
}

/** One server for all files of some kinds, unless somebody has named their own. */
async function startPostgresUnlessGiven(commits: Commits): Promise<TestPostgres | undefined> {
  return process.env.TEST_POSTGRES_URL ? undefined : startPostgres(commits)
}

/**
 * Makes a folder for the files that tests keep for a moment. All kinds but faults, which are about the disk, keep theirs in memory. The
 * folder is removed at the end, with all that killed tests have left.
 */
function makeScratch(): string {
  const scratch = mkdtempSync(path.join(roomyMemoryFolder(), 'portaria-tests-'))
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }))
  return scratch
}

/** Tests find the server by this variable: `server/test/support/databases.ts`. */
function tasksOf(kind: string, globs: readonly string[], postgres: TestPostgres | undefined): Task[] {
  const environment = { ...(postgres && { TEST_POSTGRES_URL: postgres.url }), ...(kind !== 'faults' && { TMPDIR: scratch }) }
  return account(
    kind,
    toBatches(findFiles(globs), filesPerProcess[kind] ?? 1).map((batch) => async () => {
      const startedAt = performance.now()
      const tally = await runBatch(batch, environment)
      times.push({ files: batch, cpuSeconds: tally.cpuSeconds ?? 0, seconds: (performance.now() - startedAt) / 1000 })
      return tally
    }),
  )
}

function printTimes(): void {
  for (const { files, cpuSeconds, seconds } of times.sort((a, b) => b.cpuSeconds - a.cpuSeconds))
    console.log(
      `${cpuSeconds.toFixed(1).padStart(7)} s of CPU in ${seconds.toFixed(0).padStart(4)} s  ${files.map((file) => path.relative(root, file)).join(' ')}`,
    )
}

/** The largest first, as they take longest. */
function findFiles(globs: readonly string[]): string[] {
  const files = [...new Set(globs.flatMap((glob) => globSync(glob, { cwd: root })))].map((file) => path.join(root, file))
  return files.sort((a, b) => statSync(b).size - statSync(a).size)
}

/** Deals the files out as cards are dealt, so that no batch has all the large ones; a file that needs a process of its own gets one. */
function toBatches(files: readonly string[], perProcess: number): Batch[] {
  const single = files.filter((file) => alone.includes(path.relative(root, file).replaceAll('\\', '/')))
  const others = files.filter((file) => !single.includes(file))
  const count = Math.ceil(others.length / perProcess)
  const dealt = Array.from({ length: count }, (_, batch) => others.filter((_file, index) => index % count === batch))
  return [...dealt, ...single.map((file) => [file])]
}

/**
 * Tasks that run the parts of one kind; the last that ends prints the kind's counts and time, and adds them to the total. A kind in which
 * nothing ran has failed.
 */
function account(kind: string, parts: readonly (() => Promise<Tally>)[]): Task[] {
  const sum = { passed: 0, failed: 0, cpuSeconds: 0 }
  let [missing, startedAt] = [parts.length, 0]
  const print = () => {
    const ranNone = sum.passed + sum.failed === 0
    if (ranNone) console.log(`✖ ${kind}: no test ran`)
    const ofCpu = sum.cpuSeconds > 0 ? `, ${sum.cpuSeconds.toFixed(0)} s of CPU` : ''
    total.passed += sum.passed
    total.failed += ranNone ? 1 : sum.failed
    console.log(
      `── ${kind}: ${sum.passed} passed, ${ranNone ? 1 : sum.failed} failed, ${((Date.now() - startedAt) / 1000).toFixed(1)} s${ofCpu}`,
    )
  }
  if (missing === 0) return [async () => print()]
  return parts.map((part) => async () => {
    startedAt ||= Date.now()
    try {
      const { passed, failed, cpuSeconds = 0 } = await part()
      sum.passed += passed
      sum.failed += failed
      sum.cpuSeconds += cpuSeconds
    } catch (error) {
      console.error(error)
      sum.failed += 1
    }
    missing -= 1
    if (missing === 0) print()
  })
}
