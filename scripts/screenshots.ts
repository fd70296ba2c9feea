// `npm run screenshots`: pictures of every page, mail and example, into the ignored folder .shots/. Names of pages: only those. `-- --docs`
// replaces the ones that documents show, in docs/screenshots/. `-- --brands`: the pages that users see most, in three brands.
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { buildConsole } from './build/console.ts'
import { buildClient } from './check.ts'

const args = process.argv.slice(2)
const isOfAll = args.every((arg) => arg.startsWith('--'))
await buildClient()
await buildConsole()
const usual = ['screenshots', 'console-screenshots', ...(isOfAll && !args.includes('--docs') ? ['example-screenshots'] : [])]
for (const part of args.includes('--brands') ? ['brand-screenshots'] : usual) {
  const { status } = spawnSync(process.execPath, [`e2e/screenshots/${part}.ts`, ...args], {
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}
