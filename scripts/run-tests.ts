import { fork } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** Where it is known, with what it took of the cores: on a busy machine that alone says what is dear. */
export type Tally = { passed: number; failed: number; cpuSeconds?: number }

/** Files that one process runs, one after the other. */
export type Batch = readonly string[]

const program = fileURLToPath(new URL('test-process.ts', import.meta.url))

const LIMIT_MS = 1_200_000

/**
 * Runs some files in a process of their own, with a limit of time, and prints the failures in full. Most of what a small file costs is to
 * load the service and to run it for the first time: files that share a process share that.
 */
export async function runBatch(files: Batch): Promise<Tally> {
  const child = fork(program, files, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  let tally: Tally | undefined
  child.on('message', (message: Tally) => (tally = message))
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => child.on('close', (...end) => resolve(end)))
  clearTimeout(limit)

  const { passed, failed, cpuSeconds = 0 } = tally ?? { passed: 0, failed: 0 }
  const hasEndedEarly = !tally || (failed === 0 && code !== 0)
  if (hasEndedEarly) console.log(`✖ ended early (${signal ?? code}): ${files.map((file) => path.relative(process.cwd(), file)).join(' ')}`)
  if (hasEndedEarly || failed > 0) console.log(indent(output))
  return { passed, failed: failed + (hasEndedEarly ? 1 : 0), cpuSeconds }
}

/** Does the tasks in their order, so many at once. */
export async function inPool(tasks: readonly (() => Promise<void>)[], { atOnce }: { atOnce: number }): Promise<void> {
  const waiting = [...tasks]
  const work = async () => {
    for (let task = waiting.shift(); task; task = waiting.shift()) await task()
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

function indent(text: string): string {
  return text.trimEnd().replace(/^/gm, '  ')
}
