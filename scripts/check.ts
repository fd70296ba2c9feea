// Every check that needs no running product: `npm run check`.
import { spawn } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { sweepClient } from './build/sweep.ts'

const BUILD_CLIENT = 'tsc -p client/tsconfig.build.json'

/** Beside the client, which is built first: the examples import it and are checked against its types. */
const steps = [
  ['format and lint', 'biome check --error-on-warnings'],
  // The rules that need types: promises that nobody awaits, and switches. Biome's own guess the types, miss some, and cost ten times as
  // much.
  ['lint by types', 'oxlint --type-aware --deny-warnings'],
  // Each checker looks at the shared types anew: with four of them, the usual number, this takes twice as much of the cores.
  ['types', 'tsc --noEmit --checkers 1 && tsc -p client/tsconfig.json --checkers 1 && tsc -p console/tsconfig.json --checkers 1'],
  ['dead code', 'knip --no-progress --no-config-hints'],
  [
    'floors and style',
    'node --test --disable-warning=ExperimentalWarning server/test/floors.test.ts server/test/style.test.ts server/test/words.test.ts',
  ],
] as const

if (import.meta.main) {
  await buildClient()
  const { failed } = await runChecks()
  process.exitCode = failed === 0 ? 0 : 1
}

/** Compiles what the examples and the client's own tests import. Throws the compiler's output. */
export async function buildClient(): Promise<void> {
  const { succeeded, output } = await execute(BUILD_CLIENT)
  if (!succeeded) throw new Error(output)
  sweepClient()
}

/** Runs all steps on a client that is built, also after a failure; prints each one's name and time, and what it said if it failed. */
export async function runChecks(): Promise<{ passed: number; failed: number }> {
  let passed = 0
  for (const [name, command] of steps) {
    const startedAt = Date.now()
    const { succeeded, output } = await execute(command)
    if (succeeded) passed += 1
    console.log(`${succeeded ? '✔' : '✖'} ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`)
    if (!succeeded) console.log(output)
  }
  return { passed, failed: steps.length - passed }
}

async function execute(command: string): Promise<{ succeeded: boolean; output: string }> {
  // The tools' commands are on the path that npm gives to its scripts.
  // Some of the tools are programs in Go, which spend a third of their time on making their memory small.
  const env = { GOGC: '400', ...process.env }
  const child = spawn(command, { shell: true, cwd: fileURLToPath(new URL('..', import.meta.url)), env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  return new Promise((resolve) => child.on('close', (code) => resolve({ succeeded: code === 0, output })))
}
