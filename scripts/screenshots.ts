// `npm run screenshots`: pictures of every page, mail and example, into the ignored folder .shots/. Names of pages: only those. `-- --docs`
// replaces the ones that documents show, in docs/screenshots/. `-- --brands`: the pages that users see most, in three brands.
// `-- --all PAGE ...`: pages of the console at three widths, light and dark, in three languages.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { buildConsole } from './build/console.ts'
import { buildClient } from './check.ts'

const args = process.argv.slice(2)
const unknown = args.find((arg) => arg.startsWith('-') && !['--docs', '--brands', '--all'].includes(arg))
if (unknown !== undefined) {
  console.error(`npm run screenshots -- [--docs | --brands] [--all] [PAGE ...]: ${unknown} is unknown`)
  process.exit(2)
}
const isOfAll = args.every((arg) => arg.startsWith('--'))
if (isOfAll && args.includes('--docs')) args.push(...namesInDocs())
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

/** The pages whose pictures documents show. */
function namesInDocs(): string[] {
  const files = globSync('docs/screenshots/**/*-light.png', { cwd: fileURLToPath(new URL('../', import.meta.url)) })
  return files.map((file) => path.basename(file, '-light.png'))
}
