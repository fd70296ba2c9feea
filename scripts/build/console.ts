// Builds the operator's console into console/dist when it is missing or older than what it is made of.
import { spawn } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { isConsoleCurrent } from './current.mjs'

const folder = fileURLToPath(new URL('../../console/', import.meta.url))
const vite = fileURLToPath(new URL('../../node_modules/vite/bin/vite.js', import.meta.url))
const dist = path.join(folder, 'dist')

/** Builds the console unless it is there and newer than its sources. Throws what the build says. */
export async function buildConsole(): Promise<void> {
  if (!isConsoleCurrent()) await build()
}

/** The same where packages may have been installed for production, with a line for whoever waits. */
export async function buildConsoleIfPossible(): Promise<void> {
  if (isConsoleCurrent()) return
  if (!existsSync(vite)) {
    // Packages were installed for production, which has no build: the service says so on the page itself.
    console.error('The console is not built, and the packages that build it are not installed (npm ci brings them).')
    return
  }
  console.error('Building the console (once, about ten seconds) …')
  await build()
}

/** It appears complete or not at all: a service that runs reads it when somebody asks. */
async function build(): Promise<void> {
  const next = `${dist}.${process.pid}`
  try {
    await run([vite, 'build', '--logLevel', 'warn', '--outDir', next, '--emptyOutDir'])
    rmSync(dist, { recursive: true, force: true })
    renameSync(next, dist)
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
}

async function run(command: string[]): Promise<void> {
  const child = spawn(process.execPath, command, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`the console could not be built:\n${output}`)
}
