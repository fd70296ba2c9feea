#!/usr/bin/env node
// Starts the command line on the Node it needs. Plain JavaScript: it must run on the old Node that it replaces.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

// Older ones carry the write-ahead log bug of SQLite below 3.51.3.
const oldest = [24, 15]
const packages = new URL('../../node_modules/', import.meta.url)

if (isRecent(process.versions.node)) await start()
else startUnderPinnedNode()

async function start() {
  // Not in a shared temporary folder: whoever can write the cache decides what we run. NODE_COMPILE_CACHE chooses another folder.
  module.enableCompileCache(fileURLToPath(new URL('.cache/portaria', packages)))
  // A server that is killed never reaches the flush at exit.
  setTimeout(() => module.flushCompileCache(), 5000).unref()
  // Whoever reads no further, as `| head`, has what they wanted.
  process.stdout.on('error', (error) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  const { run } = await import('../src/cli/main.ts')
  process.exitCode = await run(process.argv.slice(2))
}

function startUnderPinnedNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${platform}-${process.arch}`
  const node = fileURLToPath(new URL(`${name}/bin/node${platform === 'win' ? '.exe' : ''}`, packages))
  if (!existsSync(node)) {
    console.error(
      `Portaria needs Node ${oldest.join('.')} or newer; this is ${process.versions.node}, and node_modules has no ${name} (npm ci brings it).`,
    )
    process.exitCode = 1
    return
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // A terminal sends its own interrupt to both processes; a second one would mean "now".
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)))
  }
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function isRecent(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
}
