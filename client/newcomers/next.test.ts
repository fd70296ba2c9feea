import assert from 'node:assert/strict'
import { cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import { after, describe, it } from 'node:test'
import { openBrowser } from '../../e2e/harness/browser.ts'
import { assertSignsIn, at, type FreshApp, freshApp, recipe } from './fresh-app.ts'

const create = [at('create-next-app'), 'app', '--yes', '--skip-install', '--disable-git']
const NEXT = 'node_modules/next/dist/bin/next'
/** One folder, to which each test adds files: the first has the fewest. */
const below = await freshApp({ create, packages: [], path: '/shop' })

describe('A fresh app of create-next-app', () => {
  const nothingBuilt = ({ folder }: FreshApp) => rmSync(path.join(folder, '.next'), { recursive: true, force: true })

  it('N1: lies below a path, as a standalone server that hears of Portaria when it starts', async () => {
    const app = below
    app.write(recipe('Next'))
    await app.run(['node', NEXT, 'build'], { BASE_PATH: '/shop' })
    const standalone = path.join(app.folder, '.next', 'standalone')
    cpSync(path.join(app.folder, '.next', 'static'), path.join(standalone, '.next', 'static'), { recursive: true })
    await app.start(['node', path.join(standalone, 'server.js')], { HOSTNAME: 'localhost' })
    await assertSignsIn(app, '/notes')
  })

  it('N1: is built from the documents as they are, and signs in: pages, actions, proxy.ts, API routes', async () => {
    const app = await below.again()
    nothingBuilt(app)
    app.write(recipe('Next', 'start'))
    app.write(recipe('Next'))
    const built = await app.run(['node', NEXT, 'build'])
    assert.match(built, /\/_not-found/)
    await app.start(['node', NEXT, 'start', '--port', String(app.port)])
    const visitor = await assertSignsIn(app, '/notes')
    await assertSignsIn(app, '/')
    assert.equal((await visitor.open('/no-such-page')).status, 404)
  })

  it('N1: has a strict policy, whose nonce is new in each answer and stands on every script; a browser runs them all', async () => {
    const app = await below.again()
    nothingBuilt(app)
    for (const files of [recipe('Next', 'start'), recipe('Next'), recipe('Next with a strict')]) app.write(files)
    await app.run(['node', NEXT, 'build'])
    await app.start(['node', NEXT, 'start', '--port', String(app.port)])
    const visitor = await assertSignsIn(app, '/notes')
    const nonces = new Set<string>()
    for (const page of ['/notes', '/', '/no-such-page', '/notes']) {
      const { headers, text } = await visitor.open(page)
      const [, nonce = assert.fail(page)] =
        /script-src 'nonce-([\w-]{36})' 'strict-dynamic'/.exec(headers['content-security-policy'] ?? '') ?? []
      const scripts = text.match(/<script\b[^>]*>/g) ?? []
      assert.ok(scripts.length > 3, text)
      for (const script of scripts) assert.ok(script.includes(`nonce="${nonce}"`), script)
      nonces.add(nonce)
    }
    assert.equal(nonces.size, 4)
    const browser = await openBrowser()
    after(() => browser.close())
    const context = await browser.newContext()
    await context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url: app.url })))
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    await page.goto(`${app.url}/notes`)
    await page.getByRole('heading', { name: 'Notes of Ana Flávia' }).waitFor()
    // The action goes without loading a page: Next's scripts run.
    await page.evaluate('globalThis.isSame = true')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.waitForLoadState('networkidle')
    assert.deepEqual([await page.evaluate('globalThis.isSame'), complaints], [true, []])
  })
})
