import { existsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { shrinkPng } from './shrink-png.ts'

const docs = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url))

/** Writes a picture where documents show it; one that none shows is not in docs/ and does not come there. */
export function replaceInDocs(name: string, picture: Buffer): void {
  if (existsSync(docs + name)) writeFileSync(docs + name, shrinkPng(picture))
}
