// The Node that the program needs. Plain JavaScript: it must run on the old Node that it replaces.
import { existsSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

// Older ones carry the write-ahead log bug of SQLite below 3.51.3.
const oldest = [24, 15]
export const packages = new URL('../../node_modules/', import.meta.url)

/** Whether this Node is recent enough itself. */
export const isRecent = atLeast(process.versions.node, oldest)

/** The path of a Node that is recent enough: this one, or the one that the packages bring. Without either it says so and exits with 1. */
export function findNode() {
  if (isRecent) return process.execPath
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${platform}-${process.arch}`
  const node = fileURLToPath(new URL(`${name}/bin/node${platform === 'win' ? '.exe' : ''}`, packages))
  if (existsSync(node)) return node
  console.error(
    `Portaria needs Node ${oldest.join('.')} or newer; this is ${process.versions.node}, and node_modules has no ${name} (npm ci brings it).`,
  )
  process.exit(1)
}

function atLeast(version, [leastMajor, leastMinor]) {
  const [major, minor] = version.split('.').map(Number)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}
