// `npm test`: every check and every kind of test. `npm test -- contract security` runs the kinds named, `npm test -- FILE…` those files with what they need.
import { existsSync, globSync, statSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { type Commits, startPostgres } from '../server/test/support/postgres.ts'
import { buildClient, runChecks } from './check.ts'
import { buildConsole } from './console.ts'
import { runTests, type Tally } from './run-tests.ts'

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

type Wanted = [kind: string, globs: string[]][]

/** What Node has compiled once it need not compile again for each of hundreds of processes: a third of a second for the whole service. */
process.env.NODE_COMPILE_CACHE ??= path.join(root, 'node_modules', '.cache', 'compiled')

const total: Tally = { passed: 0, failed: 0 }
try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error)
  total.failed += 1
}
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1

async function main(names: string[]): Promise<void> {
  const wanted = findWanted(names)
  const isChecked = names.length === 0 || names.includes('check')
  const isOfFiles = names.length > 0 && wanted.every(([kind]) => !names.includes(kind))
  const needsBuild = wanted.length > 0 && !(isOfFiles && wanted.every(([kind]) => unbuilt.includes(kind)))
  const prepare = isChecked ? account('check', runChecks) : needsBuild && buildClient()
  // A build leaves half of the machine to the checks.
  const outcomes = await Promise.allSettled([prepare, needsBuild && buildConsole()])
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason

  // Faults are about how long things take, and about the disk; elsewhere another test may use the core while one waits.
  const [faults, others] = [wanted.filter(([name]) => name === 'faults'), wanted.filter(([name]) => name !== 'faults')]
  await withPostgres('in_memory', others, (globs) => runTests(findFiles(globs), { atOnce: 3 }))
  await withPostgres('on_disk', faults, (globs) => runTests(findFiles(globs), { atOnce: 2 }))
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

/** One server for all files of some kinds; `server/test/support/databases.ts` finds it here. Somebody's own is used where the variable is set already. */
async function withPostgres(commits: Commits, some: Wanted, run: (globs: string[]) => Promise<Tally>): Promise<void> {
  if (some.length === 0) return
  const runAll = async () => {
    for (const [name, globs] of some) await account(name, () => run(globs))
  }
  if (process.env.TEST_POSTGRES_URL) return runAll()
  const { url, stop } = await startPostgres(commits)
  process.env.TEST_POSTGRES_URL = url
  try {
    await runAll()
  } finally {
    delete process.env.TEST_POSTGRES_URL
    await stop()
  }
}

/** The longest first, lest one of them begins when all others are done. */
function findFiles(globs: readonly string[]): string[] {
  const files = globs.flatMap((glob) => globSync(glob, { cwd: root })).map((file) => path.join(root, file))
  return files.sort((a, b) => statSync(b).size - statSync(a).size)
}

/** Runs one kind, prints its counts and time, adds them to the total. A kind in which nothing ran has failed. */
async function account(name: string, run: () => Promise<Tally>): Promise<void> {
  console.log(`── ${name}`)
  const startedAt = Date.now()
  const { passed, failed } = await run()
  const ranNone = passed + failed === 0
  if (ranNone) console.log('✖ no test ran')
  total.passed += passed
  total.failed += ranNone ? 1 : failed
  console.log(`   ${name}: ${passed} passed, ${ranNone ? 1 : failed} failed, ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
}
