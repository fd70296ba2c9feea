// Whether what is built is newer than its sources. Plain JavaScript: `npm start` asks on whatever Node is there.
import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export function isConsoleCurrent() {
  return isCurrent('console/', 'dist/index.html', ['index.html', 'vite.config.ts', 'package.json', '../package-lock.json'])
}

export function isClientPackageCurrent() {
  const sources = ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'bin/portaria-client.mjs']
  return isCurrent('client/', 'dist.package/latest.json', sources)
}

/** Beside its sources, each folder has `src`. */
function isCurrent(name, built, sources) {
  const folder = new URL(`../../${name}`, import.meta.url)
  const builtAt = modifiedAt(new URL(built, folder))
  const own = readdirSync(fileURLToPath(new URL('src', folder)), { recursive: true })
  return [...own.map((file) => `src/${file}`), ...sources].every((file) => modifiedAt(new URL(file, folder)) <= builtAt)
}

function modifiedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
