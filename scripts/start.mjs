// `npm start`: installs the packages that are missing, builds what is older than its sources, and serves. Plain JavaScript: the first run
// happens on whatever Node is there. In one process as far as possible: npm and a Node for each step would take half of the time.
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { findNode } from '../server/bin/pinned-node.mjs'
import { isClientPackageCurrent, isConsoleCurrent } from './build/current.mjs'
import './setup.mjs'

const pathOf = (file) => fileURLToPath(new URL(file, import.meta.url))
const launcher = '../server/bin/portaria.mjs'

if (!process.exitCode && !(isClientPackageCurrent() && isConsoleCurrent())) {
  const { status } = spawnSync(findNode(), [pathOf('build/build.ts')], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
if (!process.exitCode) {
  // As if it had been started by itself: it may begin once more with the same arguments.
  process.argv = [process.execPath, pathOf(launcher), 'serve', ...process.argv.slice(2)]
  await import(launcher)
}
