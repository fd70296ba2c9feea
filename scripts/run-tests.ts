import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** Where they are known, with what it took of the cores (on a busy machine that alone says what is dear) and what failed after its test. */
export type Tally = { passed: number; failed: number; cpuSeconds?: number; late?: string[] }

/** Files that one process runs, one after the other. */
export type Batch = readonly string[]

const program = fileURLToPath(new URL('test-process.ts', import.meta.url))

/** Many times what the longest of them takes. */
const LIMIT_MS = 1_500_000

/** How long a process that is asked to end has for it, and then its output to arrive. */
const ENDING_MS = 10_000

/**
 * Runs some files in a process of their own, with a limit of time, and prints the failures in full. Most of what a small file costs is to
 * load the service and to run it for the first time: files that share a process share that.
 */
export async function runBatch(files: Batch, environment: Record<string, string>): Promise<Tally> {
  const child = fork(program, files, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  let tally: Tally | undefined
  let running = 'the first test'
  child.on('message', (message: Tally | string) => {
    if (typeof message === 'string') running = message
    else tally = message
  })
  const limits = [setTimeout(() => child.kill('SIGTERM'), LIMIT_MS), setTimeout(() => child.kill('SIGKILL'), LIMIT_MS + ENDING_MS)]
  const [code, signal] = await endOf(child)
  for (const limit of limits) clearTimeout(limit)

  const { passed, failed, cpuSeconds = 0, late = [] } = tally ?? { passed: 0, failed: 0 }
  const hasEndedEarly = !tally || (failed === 0 && code !== 0)
  if (hasEndedEarly) {
    const names = files.map((file) => path.relative(process.cwd(), file)).join(' ')
    console.log(`✖ ended early (${signal ?? code}), ${tally ? 'after' : 'in'} ${running}: ${names}`)
  }
  for (const said of late) console.log(indent(`! ${said}`))
  if (hasEndedEarly || failed > 0) console.log(indent(output))
  return { passed, failed: failed + (hasEndedEarly ? 1 : 0), cpuSeconds }
}

/** Answers when its output is complete. A program that it started and left behind may hold the pipe open: that is waited for briefly. */
async function endOf(child: ChildProcess): Promise<[code: number | null, signal: NodeJS.Signals | null]> {
  const complete = once(child, 'close')
  const [code, signal] = await once(child, 'exit')
  const late = setTimeout(() => {
    child.stdout?.destroy()
    child.stderr?.destroy()
  }, ENDING_MS)
  await complete
  clearTimeout(late)
  return [code, signal]
}

/** More would only make each wait for the others' turns, until the promises that are about time are broken. */
const AT_ONCE = { least: 3, most: 5 }

/** Cores that have nothing to do for more than this share of a look have time for another task. */
const IDLE_SHARE = 0.15
const LOOK_MS = 3_000

/**
 * Does the tasks in their order, three at once. Many of them wait for most of their time, for a program to start or a lease to end: one
 * more begins whenever the cores were idle.
 */
export async function inPool(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const waiting = [...tasks]
  const extras = new Set<Promise<void>>()
  const work = async () => {
    for (let task = waiting.shift(); task; task = waiting.shift()) await task()
  }
  let before = readCores()
  const timer = setInterval(() => {
    const now = readCores()
    const isIdle = now.idle - before.idle > IDLE_SHARE * (now.all - before.all)
    before = now
    if (!isIdle || AT_ONCE.least + extras.size >= AT_ONCE.most) return
    const extra = waiting.shift()?.()
    if (extra) {
      extras.add(extra)
      void extra.finally(() => extras.delete(extra))
    }
  }, LOOK_MS)
  await Promise.all(Array.from({ length: AT_ONCE.least }, work))
  await Promise.all(extras)
  clearInterval(timer)
}

/** How long the cores of this machine have worked and idled since it started. */
function readCores(): { idle: number; all: number } {
  const times = os.cpus().map((core) => core.times)
  const all = times.flatMap((one) => Object.values(one)).reduce((sum, one) => sum + one, 0)
  return { idle: times.reduce((sum, { idle }) => sum + idle, 0), all }
}

function indent(text: string): string {
  return text.trimEnd().replace(/^/gm, '  ')
}
