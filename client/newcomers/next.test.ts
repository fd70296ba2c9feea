import assert from 'node:assert/strict'
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { after, describe, it } from 'node:test'
import { openBrowser } from '../../e2e/harness/browser.ts'
import { openIdApp, walk } from '../../server/test/support/openid/apps.ts'
import { newVisitor } from '../test/visitor.ts'
import { assertSignsIn, at, type FreshApp, freshApp, pinned, recipe } from './fresh-app.ts'

const create = [at('create-next-app'), 'app', '--yes', '--skip-install', '--disable-git']
const NEXT = 'node_modules/next/dist/bin/next'
/** One folder, to which each test adds files: the first has the fewest. */
const below = await freshApp({ create, packages: [pinned('next-auth')], path: '/shop' })

describe('A fresh app of create-next-app', () => {
  /** All but what Next itself keeps for its next build, as a newcomer has it too. */
  const nothingBuilt = ({ folder }: FreshApp) => {
    const built = path.join(folder, '.next')
    for (const name of readdirSync(built).filter((name) => name !== 'cache')) rmSync(path.join(built, name), { recursive: true })
  }

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
    // Until React has taken the form over, the browser itself would send it.
    await page.waitForFunction(`Object.keys(document.querySelector('form') ?? {}).some((key) => key.startsWith('__reactProps'))`)
    // The action goes without loading a page: Next's scripts run.
    await page.evaluate('globalThis.isSame = true')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.waitForLoadState('networkidle')
    assert.deepEqual([await page.evaluate('globalThis.isSame'), complaints], [true, []])
  })

  it('signs in by Auth.js with the lines of the documents, comes back without a page, and is signed out with Portaria', async () => {
    const app = await below.again()
    nothingBuilt(app)
    const { service, url } = app
    const { clientId, secret } = await openIdApp(service, { uris: [`${url}/api/auth/callback/portaria`] })
    // Its own layout fetches a font. Our client's proxy and session are not part of such an app.
    app.write(recipe('Next'))
    for (const ours of ['proxy.ts', 'app/api/auth/session']) rmSync(path.join(app.folder, ours), { recursive: true })
    app.write(authJsFiles(service.url))
    await app.run(['node', NEXT, 'build'])
    const environment = { AUTH_PORTARIA_ID: clientId, AUTH_PORTARIA_SECRET: secret, AUTH_SECRET: 'x'.repeat(40), AUTH_TRUST_HOST: 'true' }
    await app.start(['node', NEXT, 'start', '--port', String(app.port)], { ...environment, AUTH_URL: url })
    const [visitor, browser] = [newVisitor(url), service.browser()]
    const signIn = async (email?: string) => {
      const { csrfToken } = JSON.parse((await visitor.send('GET', '/api/auth/csrf')).text)
      const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: `csrfToken=${csrfToken}` }
      const begun = await visitor.send('POST', '/api/auth/signin/portaria', form)
      const to = new URL(begun.headers.location ?? assert.fail(begun.text))
      const { location = assert.fail() } = await walk(browser, await browser.get(to.pathname + to.search), email)
      await visitor.open(location.pathname + location.search)
    }
    const greeted = async () => /<b>([^<]*)<\/b>/.exec((await visitor.open('/mine')).text)?.[1]
    assert.equal(await greeted(), 'nobody')
    await signIn('ana@exemplo.com.br')
    assert.match((await greeted()) ?? '', /^Ana Flávia/)
    visitor.cookies.clear()
    await signIn()
    assert.match((await greeted()) ?? '', /^Ana Flávia/)
    await browser.get('/auth/signout')
    assert.equal(await greeted(), 'nobody')
    assert.equal((await visitor.send('GET', '/api/auth/session')).text, 'null')
    assert.ok(![...visitor.cookies.keys()].some((name) => name.includes('session-token')))
  })
})

/** The files of the documents, with a page beside them. They ask Portaria at each look, not once a minute. */
function authJsFiles(portaria: string): Map<string, string> {
  const markdown = readFileSync(new URL('../../docs/openid.md', import.meta.url), 'utf8')
  const [, section = ''] = /^## Auth\.js\n([\s\S]*?)^## /m.exec(markdown) ?? []
  const [auth = assert.fail(), route = assert.fail()] = [...section.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code)
  const page = `import { Suspense } from 'react'
import { auth } from '@/auth'
async function Name() {
  return <b>{(await auth())?.user?.name ?? 'nobody'}</b>
}
export default function Mine() {
  return <Suspense><Name /></Suspense>
}`
  return new Map([
    ['auth.ts', auth.replaceAll('https://sso.example.com', portaria).replace('60_000', '0')],
    ['app/api/auth/[...nextauth]/route.ts', route],
    ['app/mine/page.tsx', page],
  ])
}
