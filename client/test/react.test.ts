import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { rolldown } from 'rolldown'
import { type OwnBrowser, openBrowser } from '../../e2e/harness/browser.ts'
import { until } from '../../server/test/support/until.ts'
import { type Session, SignInButton, useSession } from '../src/react.ts'
import { ANA } from './ana.ts'
import { Tree } from './react-tree.ts'

const ana: Session = { status: 'signed_in', user: { ...ANA, email: 'ana@exemplo.com.br', name: 'Ana <b>&' } }
const bia: Session = { ...ana, user: { ...ana.user, id: '0197b1f0-0000-7000-8000-000000000002', name: 'Bia' } }
const nobody: Session = { status: 'signed_out', reason: 'no_session' }

describe('The components on the server', () => {
  it('render what is known, and nothing of it where nothing is', () => {
    const known = renderToString(createElement(Tree, { initial: ana }))
    assert.match(known, /<output>signed_in<\/output><p id="name">Ana &lt;b&gt;&amp;<\/p><p id="in">in<\/p>/)
    assert.doesNotMatch(known, /id="out"/)
    const out = renderToString(createElement(Tree, { initial: nobody }))
    assert.match(out, /<output>no_session<\/output><p id="out">out<\/p>/)
    const unknown = renderToString(createElement(Tree, {}))
    assert.match(unknown, /<output>loading<\/output><a/)
  })

  it('make links that name where to go on', () => {
    const html = renderToString(createElement(Tree, {}))
    assert.match(html, /<a class="enter" href="\/auth\/sign-in">Sign in<\/a>/)
    assert.match(html, /<a href="\/auth\/sign-in\?return_to=%2Fthere%3Fa%3D1">/)
    assert.match(html, /<a rel="nofollow" href="\/auth\/sign-out\?scope=everywhere&amp;return_to=%2Fbye">Sign out<\/a>/)
    assert.equal(renderToString(createElement(SignInButton, null, 'x')), '<a href="/auth/sign-in">x</a>', 'without a provider as well')
  })

  it('say what is missing when there is no provider', () => {
    const Lost = () => useSession().status
    assert.throws(() => renderToString(createElement(Lost)), /useSession needs a <SessionProvider>/)
  })
})

/** Where the server renders the session, and where it leaves all to the browser. */
const PAGE = '/page?a=1#b'
const EMPTY_PAGE = '/page-empty'

/** An app's server, as far as these components know one. */
const server = {
  session: (): Promise<{ status: number; body: string }> | { status: number; body: string } => answer(nobody),
  rendered: undefined as Session | undefined,
  /** The requests since the test began, without the page itself. */
  asked: [] as { path: string; headers: IncomingHttpHeaders }[],
}
const answer = (session: unknown) => ({ status: 200, body: JSON.stringify(session) })
const sessionsAsked = () => server.asked.filter(({ path }) => path === '/api/auth/session').length

describe('The components in a browser, in strict mode', () => {
  let app = ''
  let browser: OwnBrowser
  let context: BrowserContext
  let stop = () => {}
  const complaints: string[] = []

  before(async () => {
    const script = await bundle()
    const serve = async (req: IncomingMessage, res: ServerResponse) => {
      const path = req.url ?? '/'
      if (path === '/script.js') return void res.setHeader('content-type', 'text/javascript').end(script)
      if (path.startsWith('/page')) return void res.setHeader('content-type', 'text/html').end(pageOf(server.rendered, path))
      server.asked.push({ path, headers: req.headers })
      if (path !== '/api/auth/session') return void res.setHeader('content-type', 'text/html').end(`<title>${path}</title>`)
      const { status, body } = await server.session()
      res.writeHead(status, { 'content-type': 'application/json' }).end(body)
    }
    const listener = createServer((req, res) => void serve(req, res)).listen(0, 'localhost')
    await once(listener, 'listening')
    const address = listener.address()
    app = `http://localhost:${typeof address === 'object' && address ? address.port : 0}`
    browser = await openBrowser()
    stop = () => listener.close().closeAllConnections()
  })
  after(async () => {
    await browser.close()
    stop()
  })
  beforeEach(async () => {
    Object.assign(server, { session: () => answer(nobody), rendered: undefined, asked: [] })
    context = await browser.newContext()
    context.setDefaultTimeout(60_000)
    context.on('console', (message) => {
      if (message.type() !== 'info' && !message.text().startsWith('Failed to load resource')) complaints.push(message.text())
    })
    context.on('weberror', (fault) => complaints.push(String(fault.error())))
    await context.addInitScript(COUNT_WHAT_IS_HELD)
  })
  afterEach(async () => {
    await context.close()
    assert.deepEqual(complaints.splice(0), [])
  })

  const load = async (rendered?: Session, path = PAGE): Promise<Page> => {
    server.rendered = rendered
    const tab = await context.newPage()
    await tab.clock.install({ time: 0 })
    await tab.goto(app + path)
    await tab.waitForFunction('globalThis.unmount')
    return tab
  }
  /** A tab that was loaded a minute ago; from now on its clock moves only by the test. */
  const open = async (rendered?: Session, path = PAGE): Promise<Page> => {
    const tab = await load(rendered, path)
    await tab.clock.pauseAt(60_000)
    return tab
  }
  const shows = (tab: Page, text: string) => tab.locator('output', { hasText: new RegExp(`^${text}$`) }).waitFor()
  const focus = (tab: Page) => tab.evaluate(() => window.dispatchEvent(new Event('focus')))
  /** Long enough for what should not happen. */
  const settled = () => wait(150)

  for (const path of [PAGE, EMPTY_PAGE])
    it(`load the session where nothing was rendered, and say nothing until it is known (${path})`, async () => {
      const gate = Promise.withResolvers<void>()
      server.session = () => gate.promise.then(() => answer(ana))
      const tab = await load(undefined, path)
      await settled()
      await shows(tab, 'loading')
      gate.resolve()
      await shows(tab, 'signed_in')
      assert.equal(await tab.locator('#name').textContent(), 'Ana <b>&')
      await settled()
      assert.ok(sessionsAsked() <= 2, 'strict mode begins twice, and the first call is taken back')
    })

  it('take over what was rendered, without a call and without a word of React', async () => {
    const tab = await open(ana)
    await shows(tab, 'signed_in')
    await settled()
    assert.equal(sessionsAsked(), 0)
  })

  it('ask again when the window is looked at, not more often than every five seconds, and never lose a look', async () => {
    const tab = await open(ana)
    await tab.clock.fastForward(5_000)
    server.session = () => answer(bia)
    await focus(tab)
    await tab.getByText('Bia').waitFor()
    assert.equal(sessionsAsked(), 1)
    server.session = () => answer(ana)
    for (let times = 0; times < 5; times++) await focus(tab)
    await tab.clock.fastForward(4_000)
    await settled()
    assert.equal(sessionsAsked(), 1)
    await tab.clock.fastForward(1_000)
    await tab.getByText('Ana').waitFor()
    await tab.clock.fastForward(60_000)
    await settled()
    assert.equal(sessionsAsked(), 2)
  })

  it('do not ask while nobody looks', async () => {
    const tab = await open(ana)
    await tab.clock.fastForward(5_000)
    const turn = (state: string) =>
      tab.evaluate((visibilityState) => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, value: visibilityState })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    await turn('hidden')
    await settled()
    assert.equal(sessionsAsked(), 0)
    await turn('visible')
    await shows(tab, 'no_session')
  })

  it('ask at once when the browser brings a page back from its memory', async () => {
    const tab = await open(ana)
    await tab.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await shows(tab, 'no_session')
  })

  for (const [what, session] of Object.entries({
    '500': () => ({ status: 500, body: '{}' }),
    HTML: () => ({ status: 200, body: '<!doctype html>' }),
    'another JSON': () => answer({ status: 'signed_in' }),
    'the JSON of another service': () => answer({ status: 'ok', user: {} }),
  }))
    it(`keep what they had when the answer is ${what}`, async () => {
      const tab = await open(ana)
      server.session = session
      await tab.clock.fastForward(5_000)
      await focus(tab)
      await until(() => sessionsAsked() >= 1)
      await settled()
      assert.equal(sessionsAsked(), 1)
      await shows(tab, 'signed_in')
    })

  it('give up on an answer that does not come, and stay as they were', async () => {
    const tab = await open(ana)
    let isAsked = () => {}
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve
    })
    server.session = () => {
      isAsked()
      return new Promise(() => {})
    }
    await tab.clock.fastForward(5_000)
    await focus(tab)
    await asked
    await tab.clock.fastForward(10_000)
    server.session = () => answer(bia)
    await settled()
    await shows(tab, 'signed_in')
    await focus(tab)
    await tab.getByText('Bia').waitFor()
  })

  it('count as signed out where the first answer fails, and know it when it comes later', async () => {
    server.session = () => ({ status: 503, body: '' })
    const tab = await open()
    await shows(tab, 'unconfirmed')
    server.session = () => answer(ana)
    await tab.evaluate(() => window.dispatchEvent(new Event('online')))
    await tab.clock.fastForward(5_000)
    await shows(tab, 'signed_in')
  })

  it('follow what the server renders next, and only when it renders something new', async () => {
    const tab = await open(ana)
    await tab.evaluate(`rerender(${JSON.stringify(bia)})`)
    await tab.getByText('Bia').waitFor()
    await tab.clock.fastForward(5_000)
    await focus(tab)
    await shows(tab, 'no_session')
    await tab.evaluate(`rerender(${JSON.stringify(bia)})`)
    await settled()
    await shows(tab, 'no_session')
  })

  it('show nothing of somebody in any tab once they click to sign out in one', async () => {
    const one = await open(ana)
    const other = await open(ana)
    await shows(other, 'signed_in')
    await one.getByText('Sign out').click()
    await one.waitForURL(`${app}/auth/sign-out?scope=everywhere&return_to=%2Fbye`)
    await shows(other, 'ended')
    assert.equal(await other.locator('#in, #name').count(), 0)
    assert.equal(sessionsAsked(), 0)
    // If nothing came of it, a look shows it.
    server.session = () => answer(ana)
    await focus(other)
    await shows(other, 'signed_in')
  })

  it('let the other tabs know what one has learned: a sign-out, and a sign-in, which each asks for itself', async () => {
    const one = await open(ana)
    const other = await open(ana)
    await one.clock.fastForward(5_000)
    await focus(one)
    await shows(one, 'no_session')
    await shows(other, 'ended')
    assert.equal(sessionsAsked(), 1)
    server.session = () => answer(bia)
    await one.clock.fastForward(5_000)
    await focus(one)
    await one.getByText('Bia').waitFor()
    await other.getByText('Bia').waitFor()
    await settled()
    assert.equal(sessionsAsked(), 3)
  })

  it('have the other tabs ask when a page was rendered without anybody', async () => {
    const one = await open(ana)
    await open(nobody)
    await shows(one, 'no_session')
    assert.equal(sessionsAsked(), 1)
  })

  it('sign nobody out elsewhere for a page that was rendered once for all', async () => {
    const one = await open(ana)
    server.session = () => answer(ana)
    await open(nobody)
    await until(() => sessionsAsked() >= 1)
    await settled()
    await shows(one, 'signed_in')
    assert.equal(sessionsAsked(), 1, 'since it has asked')
  })

  it('ask no more often for what other tabs say than for looks', async () => {
    const one = await open(ana)
    const other = await open(ana)
    server.session = () => answer(ana)
    const say = (message: object) => other.evaluate((data) => new BroadcastChannel('portaria:/api/auth/session').postMessage(data), message)
    for (let time = 0; time < 20; time++) {
      await say({ status: 'signed_in', id: `somebody ${time}` })
      await say({ status: 'signed_out' })
      await focus(one)
    }
    await settled()
    assert.ok(sessionsAsked() <= 2, `${sessionsAsked()} calls of two tabs at once`)
    await one.clock.fastForward(5_000)
    await shows(one, 'signed_in')
    assert.ok(sessionsAsked() <= 4)
  })

  it('sign nobody out elsewhere because the server could not ask', async () => {
    const one = await open(ana)
    const other = await open({ status: 'signed_out', reason: 'unconfirmed' })
    await shows(other, 'unconfirmed')
    await settled()
    await shows(one, 'signed_in')
  })

  it('report to nobody a sign-out that the app has stopped', async () => {
    const one = await open(ana)
    const other = await open(ana)
    await one.getByText('Stay').click()
    await settled()
    await shows(other, 'signed_in')
  })

  it('fetch nothing to sign in or out but by a click, which navigates', async () => {
    const tab = await open(ana)
    await tab.getByText('Sign out').hover()
    await tab.getByText('Sign in', { exact: true }).hover()
    await settled()
    assert.equal(server.asked.length, 0)
    await tab.getByText('Sign in', { exact: true }).click()
    await tab.waitForURL(`${app}/auth/sign-in?return_to=${encodeURIComponent(PAGE)}`)
    await tab.goBack()
    await tab.getByText('Sign out').click()
    await tab.waitForURL(/sign-out/)
    assert.deepEqual(
      server.asked.filter(({ path }) => path.startsWith('/auth/')).map(({ headers }) => headers['sec-fetch-mode']),
      ['navigate', 'navigate'],
    )
  })

  for (const path of [PAGE, EMPTY_PAGE])
    it(`leave nothing behind when they are taken away (${path})`, async () => {
      const tab = await open(ana, path)
      const other = await open(ana)
      assert.notDeepEqual(await tab.evaluate('held'), {})
      server.session = () => answer(ana)
      await focus(tab)
      await until(() => sessionsAsked() >= 1)
      await settled()
      await focus(tab) // waits for the end of the pause
      await tab.evaluate('unmount()')
      assert.deepEqual(await tab.evaluate('held'), {})
      await tab.clock.fastForward(60_000)
      await focus(tab)
      await other.getByText('Sign out').click()
      await settled()
      assert.equal(sessionsAsked(), 1)
    })

  it('work without JavaScript', async () => {
    const still = await browser.newContext({ javaScriptEnabled: false })
    server.rendered = ana
    const tab = await still.newPage()
    await tab.goto(`${app}/page`)
    await tab.getByText('Sign out').click()
    await tab.waitForURL(`${app}/auth/sign-out?scope=everywhere&return_to=%2Fbye`)
    await still.close()
  })
})

function pageOf(rendered: Session | undefined, path: string): string {
  const html = path === EMPTY_PAGE ? '' : renderToString(createElement(Tree, { initial: rendered }))
  const data = JSON.stringify(rendered ?? null).replace(/[&<"]/g, (letter) => `&#${letter.charCodeAt(0)};`)
  return `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>page</title>
<div id="root" data-initial="${data}">${html}</div><script src="/script.js"></script></html>`
}

/** React as developers have it, which complains. */
async function bundle(): Promise<string> {
  const built = await rolldown({
    input: fileURLToPath(new URL('react-page.ts', import.meta.url)),
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"development"' } },
    onLog: () => {},
  })
  const { output } = await built.generate({ format: 'iife' })
  await built.close()
  return output[0].code
}

/** Counts, as `held`, the listeners on window and document, and the channels that are open. */
const COUNT_WHAT_IS_HELD = `
globalThis.held = {}
const count = (what, by) => { held[what] = (held[what] ?? 0) + by; if (held[what] === 0) delete held[what] }
const watched = ['focus', 'online', 'pageshow', 'visibilitychange']
for (const [method, by] of [['addEventListener', 1], ['removeEventListener', -1]]) {
  const own = EventTarget.prototype[method]
  EventTarget.prototype[method] = function (type, ...rest) {
    if (watched.includes(type) && (this === window || this === document)) count(type, by)
    return own.call(this, type, ...rest)
  }
}
globalThis.BroadcastChannel = class extends BroadcastChannel {
  constructor(name) { super(name); count('channel', 1) }
  close() { super.close(); count('channel', -1) }
}`
