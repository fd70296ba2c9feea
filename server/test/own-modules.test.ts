import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const { packages }: { packages: string[] } = await import(new URL('../bin/own-modules.mjs', import.meta.url).href)
const folder = fileURLToPath(new URL('../../node_modules/', import.meta.url))

describe('Packages whose modules are found at once', () => {
  for (const name of packages)
    it(`${name} says of all its files that they are ECMAScript modules, and holds no link`, () => {
      const says = globSync('**/package.json', { cwd: path.join(folder, name) })
      assert.ok(says.includes('package.json'))
      for (const file of says) assert.equal(JSON.parse(readFileSync(path.join(folder, name, file), 'utf8')).type, 'module', file)
      const links = globSync('**', { cwd: path.join(folder, name), withFileTypes: true }).filter((entry) => entry.isSymbolicLink())
      assert.deepEqual(links, [])
    })
})
