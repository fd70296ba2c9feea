import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import process from 'node:process'
import { after, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../server/test/support/free-port.ts'
import { until } from '../../server/test/support/until.ts'
import { createPortaria } from '../src/index.ts'
import type { LiveProfile } from '../src/user.ts'
import { startPortariaFor } from './adapters/start-portaria.ts'
import { newVisitor, signInAtPortaria } from './visitor.ts'

const AsyncFunction = (async () => {}).constructor as FunctionConstructor
const page = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
const integrate = page('integrate.md')
const byHand = page('integrate-by-hand.md')

/** The code blocks below a heading, down to the next. */
function blocksOf(markdown: string, heading: RegExp): string[] {
  const [, section = ''] = markdown.split(new RegExp(`^#+ ${heading.source}.*$`, 'm'))
  const [own = ''] = section.split(/^#+ /m)
  return [...own.matchAll(/^```(?:[jt]sx?)\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
}

const linesOf = (code: string) => code.split('\n').filter((line) => line.trim() !== '' && !/^\/\/ app\//.test(line)).length

describe('docs/integrate.md', () => {
  // Beside the package, so that its name and the frameworks' are found.
  const parent = fileURLToPath(new URL('../.tmp', import.meta.url))
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(path.join(parent, 'docs-'))
  const running: ChildProcess[] = []
  after(() => {
    for (const child of running) child.kill()
    rmSync(folder, { recursive: true, force: true })
  })

  it('counts the lines of a first integration as they are, and there are twelve at most', () => {
    for (const [framework, heading] of [
      ['Next', /Next \(App Router\)/],
      ['Express', /Express/],
    ] as const) {
      const said = Number(new RegExp(`^### ${heading.source}: (\\d+) lines of code$`, 'm').exec(integrate)?.[1])
      const counted = blocksOf(integrate, heading)
        .map(linesOf)
        .reduce((a, b) => a + b, 0)
      assert.deepEqual([counted, counted <= 12], [said, true], framework)
    }
  })

  it('asks for access by the id of the session alone, whose address nobody may have verified', () => {
    const asked = [integrate, page('pt-br/integrar.md')].flatMap((text) => text.match(/await (?:portaria\.)?checkAccess\(.*\)/g) ?? [])
    assert.equal(asked.length, 3)
    assert.deepEqual(
      asked.filter((one) => one.includes('email')),
      [],
    )
  })

  it('catches that nobody knows who has paid, where it asks first', async () => {
    const [code = assert.fail('no code')] = blocksOf(integrate, /Who has paid/)
    const asks = new AsyncFunction('portaria', 'user', 'redirect', `${code}; return access`)
    const portaria = createPortaria({ url: 'http://localhost:1', appUrl: 'http://localhost:2', apiKey: 'sk_x' })
    const answer: unknown = await asks(portaria, { id: 'ana' })
    assert.ok(answer instanceof Response)
    assert.equal(answer.status, 503)
    for (const text of [integrate, page('pt-br/integrar.md')]) assert.match(text, /PortariaError[\s\S]*Express 4/)
  })

  it('says which fields of a user are of the token, and no others are', () => {
    const kept = ['avatarUrl', 'companyName', 'rankName']
    const [, said = ''] = /^\| (.*) \| when the session's token was made/m.exec(integrate) ?? []
    assert.deepEqual(said.match(/\w+/g), kept)
    const live: Record<keyof LiveProfile, true> = { id: true, email: true, name: true, isProducer: true, planSlug: true }
    const [, now = ''] = /^\| (.*) \| the last confirmation/m.exec(integrate) ?? []
    assert.deepEqual(['id', ...(now.match(/\w+/g) ?? [])], Object.keys(live))
  })

  const nodeOf = (code: string) =>
    code
      .replace("import { Hono } from 'hono'", "import { Hono } from 'hono'\nimport { serve } from '@hono/node-server'")
      .replace('export default app', 'serve({ fetch: app.fetch, port: 4001 })')
  for (const [framework, heading, greeting] of [
    ['Express', /Express/, 'Hello, Ana'],
    ['Hono, with the line for Node', /Hono/, 'Hello, Ana'],
    ['Fastify', /Fastify/, 'Hello, Ana'],
    ['plain node:http', /Everything else/, 'Hello, Ana'],
  ] as const) {
    it(`signs somebody in as printed: ${framework}`, async () => {
      const port = await freePort()
      const app = `http://localhost:${port}`
      const fixture = await startPortariaFor(app)
      const code = blocksOf(integrate, heading).at(-1) ?? assert.fail('no code')
      await start(nodeOf(code).replaceAll('4001', String(port)), app, { PORTARIA_URL: fixture.service.url, PORTARIA_APP_URL: app })
      const visitor = newVisitor(app)
      const callback = await signInAtPortaria(visitor, fixture.service, 'ana@exemplo.com.br', '/')
      const arrived = await visitor.open(callback.pathname + callback.search)
      assert.equal(arrived.headers.location, '/', arrived.text)
      const shown = await visitor.open('/')
      assert.ok(shown.text.startsWith(greeting))
      assert.equal(shown.headers['cache-control'], 'private, no-store')
      await hangUpWithin(port, '/auth/backchannel-logout')
      assert.ok((await visitor.open('/')).text.startsWith(greeting), 'it outlives a form that breaks off')
      await fixture.stop()
    })
  }

  it('has an internal app by hand that works as printed, and outlives what anybody may send', async () => {
    const port = await freePort()
    const app = `http://localhost:${port}`
    const fixture = await startPortariaFor(app, '/callback')
    const [code = assert.fail('no code')] = blocksOf(byHand, /An internal app/)
    await start(code.replaceAll('http://localhost:3000', fixture.service.url).replaceAll('4001', String(port)), app, {})
    const visitor = newVisitor(app)
    const callback = await signInAtPortaria(visitor, fixture.service, 'ana@exemplo.com.br', '/', '/')
    assert.equal((await visitor.open(callback.pathname + callback.search)).headers.location, '/')
    assert.ok((await visitor.open('/')).text.startsWith('Hello, Ana'))
    assert.equal((await visitor.open('//')).status, 400)
    assert.equal((await visitor.open(callback.pathname + callback.search)).status, 400, 'the same way back a second time')
    await fixture.service.stop()
    assert.ok((await visitor.open('/')).headers.location?.startsWith(fixture.service.url), 'no answer is no sign-in')
    await fixture.stop()
  })

  it('N11: warns of what lets everyone in, of kinds that libraries overlook, and of tokens in logs', () => {
    for (const text of ['auth_request', 'PyJWT', 'morgan', 'Werkzeug', '$uri', 'LogFormat', 'Caddy', 'incomingRequests'])
      assert.ok(byHand.includes(text), text)
  })

  // Where the language is at hand.
  if (spawnSync('python3', ['-c', 'import flask']).status === 0)
    it('N11: has an app by hand in Flask that asks the check alone, works as printed, and logs no token', async () => {
      const port = await freePort()
      const app = `http://localhost:${port}`
      const fixture = await startPortariaFor(app, '/callback')
      const said = await startFlask(
        flaskApp().replaceAll('http://localhost:3000', fixture.service.url).replaceAll('4001', String(port)),
        {},
      )
      const visitor = newVisitor(app)
      const callback = await signInAtPortaria(visitor, fixture.service, 'ana@exemplo.com.br', '/', '/')
      assert.equal((await visitor.open(callback.pathname + callback.search)).headers.location, '/')
      assert.ok((await visitor.open('/')).text.startsWith('Hello, Ana'))
      assert.equal((await newVisitor(app).open(callback.pathname + callback.search)).status, 400, 'in another browser')
      await until(() => said().includes('/callback'))
      assert.doesNotMatch(said(), /eyJ|eg_session=/)
      await fixture.stop()
    })

  if (spawnSync('python3', ['-c', 'import flask']).status === 0)
    it('has an external app by hand in Flask, which signs in, and out of its own session', async () => {
      const port = await freePort()
      const app = `http://127.0.0.1:${port}`
      const fixture = await startPortariaFor('http://localhost:1', '/callback')
      const made = await fixture.service.product({ slug: 'loja', audience: 'external', checkout: 'external', uris: [`${app}/callback`] })
      const [, difference = assert.fail('no difference')] = /^```diff\n(-SELF[\s\S]*?)^```$/m.exec(byHand) ?? []
      const code = `import os\n${changed(flaskApp(), difference)}`
      await startFlask(code.replaceAll('http://localhost:3000', fixture.service.url).replaceAll('4002', String(port)), {
        API_KEY: made.apiKey,
        PUBLISHABLE_KEY: made.product.publishableKey,
      })
      const visitor = newVisitor(app)
      const callback = await signInAtPortaria(visitor, fixture.service, 'ana@exemplo.com.br', '/', '/')
      assert.equal((await newVisitor(app).open(callback.pathname + callback.search)).status, 400, 'in another browser')
      assert.equal((await visitor.open(callback.pathname + callback.search)).headers.location, '/')
      assert.ok((await visitor.open('/')).text.startsWith('Hello, Ana'))
      const session = visitor.cookies.get('my_session') ?? assert.fail('no session')
      await visitor.send('POST', '/leave')
      assert.deepEqual([...visitor.cookies.keys()], [])
      visitor.cookies.set('my_session', session)
      assert.equal((await visitor.open('/')).status, 302, 'the session has ended, not the cookie alone')
      await fixture.stop()
    })

  function flaskApp(): string {
    const [, code = assert.fail('no code')] = /^```python\n(# app\.py[\s\S]*?)^```$/m.exec(byHand) ?? []
    return code
  }

  /** The program with the hunks of a difference in it. A hunk that takes nothing away is put before the first route. */
  function changed(code: string, difference: string): string {
    return difference.split(' …\n').reduce((text, hunk) => {
      const side = (sign: string) =>
        [...hunk.matchAll(/^.*$/gm)].flatMap(([line]) => (line.startsWith(sign) ? `${line.slice(1)}\n` : [])).join('')
      const gone = side('-') || "@app.get('/')\n"
      assert.equal(text.split(gone).length, 2, gone)
      return text.replace(gone, () => (side('-') ? side('+') : `${side('+')}\n\n${gone}`))
    }, code)
  }

  /** Sends the beginning of a form, and closes the connection. */
  async function hangUpWithin(port: number, target: string): Promise<void> {
    const socket = connect(port, 'localhost').on('error', () => {})
    socket.write(`POST ${target} HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: 100\r\n\r\nlogout_tok`)
    await wait(50)
    socket.destroy()
    await wait(150)
  }

  /** Starts Flask and waits until it listens. Answers a function that reads its output so far. */
  async function startFlask(code: string, environment: Record<string, string>): Promise<() => string> {
    const file = path.join(folder, `${running.length}.py`)
    writeFileSync(file, code)
    const child = spawn('python3', [file], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...environment } })
    running.push(child)
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text))
    await until(() => said.includes('Running on'))
    return () => said
  }

  async function start(code: string, app: string, environment: Record<string, string>): Promise<void> {
    const file = path.join(folder, `${running.length}.mjs`)
    writeFileSync(file, code)
    const child = spawn(process.execPath, [file], { stdio: 'inherit', env: { PATH: process.env.PATH, ...environment } })
    running.push(child)
    const ended = once(child, 'exit').then(([status]) => assert.fail(`the app ended with ${status}`))
    for (;;) {
      const answers = fetch(app, { redirect: 'manual' }).then(
        () => true,
        () => wait(50).then(() => false),
      )
      if (await Promise.race([answers, ended])) return
    }
  }
})
