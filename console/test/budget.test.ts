import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** The limit for the first screen, scripts only, as gzip sends them. */
const FIRST_SCREEN_BYTES = 420 * 1024
const assets = fileURLToPath(new URL('../dist/assets/', import.meta.url))
const page = readFileSync(path.join(assets, '../index.html'), 'utf8')
const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'))

describe('The built console', () => {
  it('shows its first screen with 420 KB of gzipped JavaScript at most', () => {
    const { names } = firstScreen()
    const bytes = [...names].reduce((sum, name) => sum + statSync(path.join(assets, `${name}.gz`)).size, 0)
    assert.ok(names.size > 1)
    assert.ok(bytes <= FIRST_SCREEN_BYTES, `${bytes} bytes in ${[...names].join(', ')}`)
  })

  it('brings each page group, and whatever draws charts, only when it is opened', () => {
    const { names } = firstScreen()
    const later = scripts.filter((name) => !names.has(name))
    assert.ok(later.some((name) => name.startsWith('audit-list')))
    for (const name of names) {
      assert.doesNotMatch(readFileSync(path.join(assets, name), 'utf8'), /recharts|d3-shape|victory-vendor/, name)
    }
  })

  it('names no other host to load anything from', () => {
    for (const name of scripts) {
      const addresses = readFileSync(path.join(assets, name), 'utf8').match(/(?:src|href)\s*=\s*["'`]https?:[^"'`]*/g) ?? []
      // react-admin's telemetry is compiled in and switched off (app.tsx); the policy of /admin would not let it out either.
      assert.deepEqual(
        addresses.filter((address) => !address.includes('react-admin-telemetry.marmelab.com')),
        [],
        name,
      )
    }
    assert.doesNotMatch(page, /(?:src|href)="(?!\/admin\/)/)
  })

  it('lies ready in the encodings that browsers take, the same in each', () => {
    for (const name of scripts) {
      const bytes = readFileSync(path.join(assets, name))
      assert.ok(brotliDecompressSync(readFileSync(path.join(assets, `${name}.br`))).equals(bytes), name)
      assert.ok(gunzipSync(readFileSync(path.join(assets, `${name}.gz`))).equals(bytes), name)
    }
  })
})

/** The scripts of the page, what they import without being asked, and the texts of one language, the longest. */
function firstScreen(): { names: Set<string> } {
  const names = new Set<string>()
  const follow = (name: string) => {
    if (names.has(name)) return
    names.add(name)
    const source = readFileSync(path.join(assets, name), 'utf8')
    for (const [, imported = ''] of source.matchAll(/(?:\bfrom|\bimport)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)) follow(imported)
  }
  for (const [, name = ''] of page.matchAll(/\/admin\/assets\/([\w.-]+\.js)/g)) follow(name)
  const languages = scripts.filter((name) => /^(?:pt-br|en|es)-/.test(name))
  follow(languages.sort((a, b) => statSync(path.join(assets, b)).size - statSync(path.join(assets, a)).size)[0] ?? '')
  return { names }
}
