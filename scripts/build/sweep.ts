// Ends a build of the client: removes what was compiled from sources that are gone, so that it is not published.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const client = fileURLToPath(new URL('../../client/', import.meta.url))

if (import.meta.main) sweepClient()

export function sweepClient(): void {
  sweep(path.join(client, 'dist'), path.join(client, 'src'))
}

/** Leaves every file that has a source: somebody may be reading it at this moment. */
export function sweep(dist: string, src: string): void {
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const [, name] = /^(.+?)(?:\.d\.ts|\.js)$/.exec(file) ?? []
    if (name === undefined) continue
    const hasSource = ['.ts', '.tsx'].some((end) => existsSync(path.join(src, name + end)))
    if (!hasSource || name.endsWith('.test')) rmSync(path.join(dist, file), { force: true })
  }
}
