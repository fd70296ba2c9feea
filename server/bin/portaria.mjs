#!/usr/bin/env node
// Starts the command line on the Node it needs. Plain JavaScript: it must run on the old Node that it replaces.
import { spawn } from 'node:child_process'
import module from 'node:module'
import os from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { findNode, isRecent, packages } from './pinned-node.mjs'

if (isRecent) await start()
else startUnderPinnedNode()

/**
 * How the service is started so that it gives memory back. Each thread that has checked a password would keep its 19 MB for the next: the
 * allocator of Linux takes its threshold for giving memory back from what was freed last, unless one is set. The collector is at hand:
 * what the start leaves behind is given back before anybody is served (`process-memory.ts`).
 */
function frugally() {
  const { MALLOC_MMAP_THRESHOLD_: threshold = String(1024 ** 2) } = process.env
  return { flags: ['--expose-gc'], environment: { ...process.env, MALLOC_MMAP_THRESHOLD_: threshold } }
}

/** The allocator reads its threshold when a process begins, so this one begins once more, in the same place. */
function beginFrugally() {
  const isSet = process.env.MALLOC_MMAP_THRESHOLD_ !== undefined
  // With a channel to its parent it would lose that.
  if (isSet || process.channel || process.platform !== 'linux' || typeof process.execve !== 'function') return
  const { flags, environment } = frugally()
  process.removeAllListeners('warning') // Node's notice that this is experimental
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...flags, ...process.argv.slice(1)], environment)
}

async function start() {
  if (process.argv[2] === 'serve' && !process.argv.includes('--process')) {
    if (await isParent()) return
    beginFrugally()
  }
  // Passwords take as many threads as there are cores: files and names of hosts have four of their own. It counts before the first is used.
  process.env.UV_THREADPOOL_SIZE ??= String(os.availableParallelism() + 4)
  // Not in a shared temporary folder: whoever can write the cache decides what we run. NODE_COMPILE_CACHE chooses another folder.
  module.enableCompileCache(fileURLToPath(new URL('.cache/portaria', packages)))
  // A command whose reader reads no further, as `| head`, is done. The service outlives its readers, and sees to that itself.
  if (process.argv[2] !== 'serve') process.stdout.on('error', endWithoutOutput)
  await import('./own-modules.mjs')
  const { run } = await import('../src/cli/main.ts')
  process.exitCode = await run(process.argv.slice(2))
  // One of several processes that could not start: the channel to its parent would keep it alive.
  if (process.exitCode !== 0 && process.channel) process.exit()
}

function endWithoutOutput({ code, message }) {
  if (code === 'EPIPE') process.exit(0)
  process.stderr.write(`portaria: the output could not be written to its end (${message})\n`, () => process.exit(1))
}

/** Of several processes this one is the parent, which loads nothing of the service. */
async function isParent() {
  if (!process.env.PORTARIA_PROCESSES || process.argv.length > 3) return false
  const { parseProcesses } = await import('../src/processes/count.ts')
  const count = parseProcesses(process.env.PORTARIA_PROCESSES)
  // One process has a parent, too, where the operator asks for processes: on a host of one core `auto` must not make a reload an end.
  if (count === undefined || process.platform === 'win32') return false
  const { runProcesses } = await import('../src/processes/parent.ts')
  process.exitCode = await runProcesses(count, process.argv[1])
  return true
}

function startUnderPinnedNode() {
  const { flags, environment } = process.argv[2] === 'serve' ? frugally() : { flags: [], environment: process.env }
  const line = [...flags, fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const child = spawn(findNode(), line, { stdio: 'inherit', env: environment })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // A terminal sends its own interrupt to both processes; a second one would mean "now". Its hang-up may come any number of times.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)))
  }
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
