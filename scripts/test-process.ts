// Runs the test files that it is given, one after the other in this process, prints the failures in full and reports the counts to its
// parent.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { inspect } from 'node:util'
import '../server/bin/own-modules.mjs'
import './test-async-context.ts'

const { run } = await import('node:test')

/** Finds what hangs. No test may need it to pass: a slow and busy machine takes five times as long as a quiet one. */
const MS_PER_TEST = 600_000

/** In the runner's sentence about an error that came from a test that had ended. */
const LATE = 'generated asynchronous activity after the test ended'

/** Begins what a test says of itself that is no failure, and that a reader of the results has to know. */
const NOTE = 'note: '

/** Connections that are kept alive have ended by then. */
const MS_TO_END = 30_000

/** The suites around the test that runs, and it. */
const running: string[] = []

/** Errors that nothing caught. The runner's sentence about one that came after its test has no place; these have. */
const uncaught: unknown[] = []

process.once('SIGTERM', () => giveUp('not ended in time'))
process.on('uncaughtExceptionMonitor', (error) => uncaught.push(error))
process.on('unhandledRejection', (reason) => uncaught.push(reason))

const tally = await runHere(process.argv.slice(2))
process.send?.({ ...tally, cpuSeconds: readCpuSeconds() }, () => process.disconnect())
process.exitCode = tally.failed === 0 ? 0 : 1
setTimeout(() => giveUp('ended, but a test has left something open'), MS_TO_END).unref()

/**
 * A skipped test counts as failed, and so does a test to be done and a file without tests: each looks like a test and proves nothing. What
 * fails after its test has ended is printed, and fails no other.
 */
async function runHere(files: string[]): Promise<{ passed: number; failed: number; late: string[] }> {
  const counts = { passed: 0, failed: 0, late: [] as string[] }
  const titles: string[] = []
  let unfinished = 0

  for await (const { type, data } of run({ files, isolation: 'none', timeout: MS_PER_TEST })) {
    // It comes at once; the others wait for the results of the tests before.
    if (type === 'test:dequeue') {
      running.splice(data.nesting, Number.POSITIVE_INFINITY, data.name)
      process.send?.(running.join(' › '))
    }
    if (type === 'test:start') titles.splice(data.nesting, Number.POSITIVE_INFINITY, data.name)
    if (type === 'test:enqueue') unfinished += 1
    if (type === 'test:diagnostic' && data.message.startsWith(NOTE)) counts.late.push(data.message)
    if (type === 'test:diagnostic' && data.message.includes(LATE)) {
      const fault = uncaught.find((one) => data.message.includes(`"${one}"`))
      counts.late.push(`${data.message}\n${inspect(fault)}`)
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue

    unfinished -= 1
    const fault = type === 'test:fail' ? data.details.error : refuseEmpty(data)
    if (fault && isOnlyAbove(fault)) continue
    if (!fault && data.details.type === 'suite') continue
    counts[fault ? 'failed' : 'passed'] += 1
    if (fault) print([...titles.slice(0, data.nesting), data.name].join(' › '), data, describe(fault))
  }
  if (unfinished > 0 && counts.failed === 0) {
    counts.failed += 1
    print(titles.join(' › '), {}, `ended before ${unfinished} tests and suites did`)
  }
  return counts
}

/** Programs that tests started end with this process. */
function giveUp(why: string): never {
  console.log(`✖ ${why}\n  held by: ${process.getActiveResourcesInfo().join(', ')}`)
  process.exit(1)
}

/**
 * The CPU time of this process and of the programs that it started and that have ended; those are counted on Linux alone. A PostgreSQL that
 * other processes use too is counted for none.
 */
function readCpuSeconds(): number {
  const stat = '/proc/self/stat'
  if (!existsSync(stat)) return (process.cpuUsage().user + process.cpuUsage().system) / 1_000_000
  const [, fields = ''] = readFileSync(stat, 'utf8').split(') ')
  const ticks = fields.split(' ').slice(11, 15).map(Number)
  return ticks.reduce((sum, one) => sum + one, 0) / 100
}

type Report = {
  name: string
  file?: string | undefined
  line?: number | undefined
  skip?: string | boolean | undefined
  todo?: string | boolean | undefined
}

function refuseEmpty({ name, file, skip, todo }: Report): string | undefined {
  if (skip !== undefined && skip !== false) return 'skipped'
  if (todo !== undefined && todo !== false) return 'still to be done'
  // A file in which no test ran is reported as one test with its own name.
  return file !== undefined && path.resolve(name) === file ? 'holds no test' : undefined
}

/** A suite that failed only because something inside it did, which has its own line. */
function isOnlyAbove(fault: unknown): boolean {
  return typeof fault === 'object' && fault !== null && 'failureType' in fault && fault.failureType === 'subtestsFailed'
}

function describe(fault: unknown): string {
  if (typeof fault === 'string') return fault
  return inspect(fault instanceof Error && fault.cause ? fault.cause : fault)
}

function print(title: string, { file, line }: Pick<Report, 'file' | 'line'>, text: string): void {
  const place = `${file ? path.relative(process.cwd(), file) : 'unknown file'}${line ? `:${line}` : ''}`
  console.log(`✖ ${title}\n  ${place}\n${text.replace(/^/gm, '  ')}`)
}
