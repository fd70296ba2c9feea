import path from 'node:path'
import process from 'node:process'
import { run } from 'node:test'
import { inspect } from 'node:util'

export type Tally = { passed: number; failed: number }

const msPerFile = 180_000

/** Ends a test process whose event loop hangs, which cannot hear the runner's own signal. */
const killLate = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${msPerFile + 10_000})`
const watchdog = `data:text/javascript,import { Worker } from 'node:worker_threads'; new Worker(${encodeURIComponent(JSON.stringify(killLate))}, { eval: true }).unref()`

/**
 * Runs test files, `atOnce` at a time, each in a process of its own and with a limit of time, and prints the failures in full. A skipped test
 * counts as failed, and so does a test to be done and a file without tests: each looks like a test and proves nothing.
 */
export async function runTests(files: string[], { atOnce }: { atOnce: number }): Promise<Tally> {
  const tally = { passed: 0, failed: 0 }
  if (files.length === 0) return tally
  const titles = new Map<string, string[]>()
  const output = new Map<string, string>()
  const unfinished = new Map<string, number>()
  const failedFiles = new Set<string>()

  for await (const { type, data } of run({ files, concurrency: atOnce, timeout: msPerFile, execArgv: ['--import', watchdog] })) {
    if (type === 'test:stdout' || type === 'test:stderr') output.set(data.file ?? '', (output.get(data.file ?? '') ?? '') + data.message)
    if (type === 'test:start') titles.set(data.file ?? '', [...titlesAbove(data), data.name])
    if (type === 'test:enqueue' && !isFile(data)) unfinished.set(data.file ?? '', (unfinished.get(data.file ?? '') ?? 0) + 1)
    if (type !== 'test:pass' && type !== 'test:fail') continue

    if (!isFile(data)) unfinished.set(data.file ?? '', (unfinished.get(data.file ?? '') ?? 0) - 1)
    const fault = type === 'test:fail' ? data.details.error : refuseEmpty(data)
    if (fault && isOnlyAbove(fault)) continue
    if (!fault && data.details.type === 'suite') continue
    tally[fault ? 'failed' : 'passed'] += 1
    if (!fault) continue
    failedFiles.add(data.file ?? '')
    console.log(`✖ ${[...titlesAbove(data), data.name].join(' › ')}\n  ${place(data)}\n${indent(describe(fault))}`)
  }
  for (const [file, count] of unfinished) {
    if (count === 0 || failedFiles.has(file)) continue
    tally.failed += 1
    failedFiles.add(file)
    console.log(`✖ ${place({ file })}\n  ended before ${count} of its tests and suites did`)
  }
  for (const file of failedFiles) if (output.has(file)) console.log(`  output of ${place({ file })}:\n${indent(output.get(file) ?? '')}`)
  return tally

  function titlesAbove({ file, nesting }: { file?: string | undefined; nesting: number }): string[] {
    return (titles.get(file ?? '') ?? []).slice(0, nesting)
  }
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
  return isFile({ name, file }) ? 'holds no test' : undefined
}

function isFile({ name, file }: { name: string; file?: string | undefined }): boolean {
  return file !== undefined && path.resolve(name) === file
}

/** A suite that failed only because something inside it did, which has its own line. */
function isOnlyAbove(fault: unknown): boolean {
  return typeof fault === 'object' && fault !== null && 'failureType' in fault && fault.failureType === 'subtestsFailed'
}

function describe(fault: unknown): string {
  if (typeof fault === 'string') return fault
  return inspect(fault instanceof Error && fault.cause ? fault.cause : fault)
}

function place({ file, line }: { file?: string | undefined; line?: number | undefined }): string {
  return `${file ? path.relative(process.cwd(), file) : 'unknown file'}${line ? `:${line}` : ''}`
}

function indent(text: string): string {
  return text.trimEnd().replace(/^/gm, '  ')
}
