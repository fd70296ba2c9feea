// `npm test`: every check and every kind of test; `npm test -- contract security` runs only the kinds named.
import { globSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../server/test/postgres.ts'
import { buildClient, runChecks } from './check.ts'
import { buildConsole } from './console.ts'
import { runTests, type Tally } from './run-tests.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The floors test is one of the checks. */
const kinds = {
  rules: ['server/src/**/*.test.ts', 'server/test/!(floors).test.ts'],
  contract: ['server/test/contract/**/*.test.ts'],
  security: ['server/test/security/**/*.test.ts'],
  client: ['client/{src,test}/**/*.test.ts'],
  console: ['console/{src,test}/**/*.test.ts'],
  faults: ['server/test/faults/**/*.test.ts'],
  journeys: ['e2e/**/*.test.ts'],
}

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
  const unknown = names.filter((name) => name !== 'check' && !(name in kinds))
  if (unknown.length > 0) throw new Error(`no such kind of test: ${unknown.join(', ')}. There are: check, ${Object.keys(kinds).join(', ')}`)
  const isWanted = (name: string) => names.length === 0 || names.includes(name)

  if (isWanted('check')) await account('check', runChecks)
  else await buildClient()
  const wanted = Object.entries(kinds).filter(([name]) => isWanted(name))
  if (wanted.length === 0) return
  await buildConsole()
  // One server for all files; `server/test/databases.ts` finds it here. Somebody's own is used where the variable is set already.
  const postgres = process.env.TEST_POSTGRES_URL ? undefined : await startPostgres()
  if (postgres) process.env.TEST_POSTGRES_URL = postgres.url
  for (const [name, globs] of wanted) await account(name, () => runTests(findFiles(globs)))
  await postgres?.stop()
}

function findFiles(globs: readonly string[]): string[] {
  return globs
    .flatMap((glob) => globSync(glob, { cwd: root }))
    .map((file) => path.join(root, file))
    .sort()
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
