// Packs the client into client/dist.package, from where the service hands it out.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isClientPackageCurrent } from './current.mjs'
import { sweepClient } from './sweep.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const client = path.join(root, 'client')
const folder = path.join(client, 'dist.package')
const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const latest = path.join(folder, 'latest.json')

/** Packages installed for production have no build: what was packed before is handed out. */
export async function packClientIfPossible(): Promise<void> {
  if (existsSync(tsc)) await packClient({ dist: 'built_here' })
}

/**
 * Packs the client unless what is packed is newer than its sources. Earlier packages stay: lock files of apps name them. `built` is for
 * tests, which have built it and may be running it at this moment.
 */
export async function packClient({ dist }: { dist: 'built' | 'built_here' }): Promise<void> {
  if (isClientPackageCurrent()) return
  mkdirSync(folder, { recursive: true })
  const next = mkdtempSync(path.join(folder, 'next-'))
  try {
    const run = promisify(execFile)
    if (dist === 'built_here') await run(process.execPath, [tsc, '-p', path.join(client, 'tsconfig.build.json')])
    sweepClient()
    await run('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', next], {
      cwd: client,
      shell: process.platform === 'win32',
    })
    publish(next)
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
}

/** A package appears complete or not at all, and `latest.json` names it only then. */
function publish(next: string): void {
  const [packed = ''] = readdirSync(next)
  const bytes = readFileSync(path.join(next, packed))
  const digest = createHash('sha512').update(bytes)
  const { version } = JSON.parse(readFileSync(path.join(client, 'package.json'), 'utf8'))
  const integrity = `sha512-${digest.copy().digest('base64')}`
  const file = `portaria-client-${version}-${digest.digest('hex').slice(0, 16)}.tgz`
  renameSync(path.join(next, packed), path.join(folder, file))
  writeFileSync(path.join(next, 'latest.json'), JSON.stringify({ version, file, integrity }))
  renameSync(path.join(next, 'latest.json'), latest)
}
