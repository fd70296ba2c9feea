import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { changeProduct } from '../../../server/src/products/index.ts'
import { endEverySession } from '../../../server/src/sessions/index.ts'
import { freePort } from '../../../server/test/support/free-port.ts'
import { until } from '../../../server/test/support/until.ts'
import { type PortariaEvent, receiveEvents } from '../../src/events/index.ts'
import { createPortaria, type Portaria } from '../../src/index.ts'
import { newVisitor, signInAtPortaria } from '../visitor.ts'
import { withFaults } from './planted-faults.ts'
import { startPortariaFor } from './start-portaria.ts'

const EVENTS_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/**
 * An app of a framework that is wired as the adapter's documentation says, and has besides: `GET /private`, which is guarded and answers
 * `private of` and the user's name; `GET /private/kept`, which is guarded, too, and has `cache-control: max-age=60` of its own; `GET
 * /open`, which answers the session as JSON to everybody; `POST /echo`, which answers its body; and a way with faults that answers 500 and
 * `caught` and what was said.
 */
export type StartApp = (portaria: Portaria, port: number) => Promise<{ close(): unknown }>

/**
 * The promises of every adapter, with its framework listening and the service behind it. `caught`: what a fault in the client's own routes
 * is answered with.
 */
export function describeAdapter(framework: string, start: StartApp, caught = 'caught planted in handle'): void {
  describe(`An app of ${framework}`, () => {
    let app = ''
    let fixture: Awaited<ReturnType<typeof startPortariaFor>>
    let running: Awaited<ReturnType<StartApp>>
    let handleEvent: (event: PortariaEvent) => unknown = () => {}
    before(async () => {
      const port = await freePort()
      app = `http://localhost:${port}`
      fixture = await startPortariaFor(app)
      const onEvent = receiveEvents((event) => handleEvent(event), { secret: EVENTS_SECRET, onFault: () => {} })
      running = await start(withFaults(createPortaria({ url: fixture.service.url, appUrl: app, onEvent, timeoutMs: 60_000 })), port)
    })
    after(async () => {
      await running.close()
      await fixture.stop()
    })
    const signedIn = async () => {
      const visitor = newVisitor(app)
      const callback = await signInAtPortaria(visitor, fixture.service, 'ana@exemplo.com.br', '/private?a=1')
      const arrived = await visitor.open(callback.pathname + callback.search)
      return { visitor, arrived }
    }

    it('signs somebody in over HTTP, each cookie in a header of its own', async () => {
      const { visitor, arrived } = await signedIn()
      assert.equal(arrived.status, 302)
      assert.equal(arrived.headers.location, '/private?a=1')
      assert.deepEqual(
        arrived.setCookies.map((line) => line.split('=', 1)[0]).map((name) => name?.replace(/attempt_.*/, 'attempt')),
        ['portaria_attempt', 'eg_session', 'portaria_arrived'],
      )
      assert.equal(arrived.headers['cache-control'], 'no-store')
      const page = await visitor.open('/private')
      assert.deepEqual([page.status, page.text], [200, 'private of Ana Flávia Conceição'])
    })

    it('lets no cache and no back button show a guarded page, unless the app says what may', async () => {
      const { visitor } = await signedIn()
      assert.equal((await visitor.open('/private')).headers['cache-control'], 'private, no-store')
      assert.equal((await visitor.open('/private/kept')).headers['cache-control'], 'max-age=60')
      assert.equal((await visitor.open('/open')).headers['cache-control'], undefined)
    })

    it('shows the browser who is signed in', async () => {
      const { visitor } = await signedIn()
      const session = await visitor.send('GET', '/api/auth/session')
      assert.match(session.headers['content-type'] ?? '', /^application\/json/)
      assert.equal(JSON.parse(session.text).user.email, 'ana@exemplo.com.br')
      assert.equal((await visitor.send('GET', '/open')).text, session.text)
      assert.deepEqual(JSON.parse((await newVisitor(app).send('GET', '/open')).text), { status: 'signed_out', reason: 'no_session' })
    })

    it('sends a page to sign in and back to exactly where it was', async () => {
      const { status, headers } = await newVisitor(app).open('/private?a=1&b=%2F')
      assert.equal(status, 302)
      assert.equal(headers.location, `/auth/sign-in?return_to=${encodeURIComponent('/private?a=1&b=%2F')}`)
      assert.equal(headers['cache-control'], 'no-store')
    })

    it('answers 401 with the reason to what is no page', async () => {
      const { status, text } = await newVisitor(app).send('GET', '/private', { headers: { accept: 'application/json' } })
      assert.equal(status, 401)
      assert.deepEqual(JSON.parse(text), { status: 'signed_out', reason: 'no_session' })
    })

    it('shows nothing private by any other spelling of the path, or header', async () => {
      for (const target of [
        '//private',
        '/%70rivate',
        '/./private',
        '/private/',
        '/x/../private',
        '/private/..;/private',
        '/PRIVATE',
        '/private?x',
      ])
        for (const headers of [{}, { 'x-middleware-subrequest': 'middleware:middleware' }, { rsc: '1', 'next-router-prefetch': '1' }]) {
          const { status, text } = await newVisitor(app).open(target, headers)
          assert.ok(status !== 200 && !text.includes('private of'), `${target} → ${status} ${text}`)
        }
    })

    it('ends a session by a form as well, whatever its body is', async () => {
      const { visitor } = await signedIn()
      const own = { origin: app, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }
      const left = await visitor.send('POST', '/auth/sign-out', { headers: own, body: 'a=1' })
      assert.equal(left.status, 302)
      assert.equal(left.headers.location, `${fixture.service.url}/auth/signout?redirect_to=${encodeURIComponent(`${app}/`)}`)
      assert.equal((await visitor.open('/private')).status, 302)
      const foreign = await visitor.send('POST', '/auth/sign-out', { headers: { 'sec-fetch-site': 'cross-site' } })
      assert.equal(foreign.status, 403)
    })

    it('ends a session within two seconds of its end at Portaria, and answers 400 to whoever else reports one', async () => {
      const { context, clock } = fixture.service
      const backchannelLogoutUri = `${app}/auth/backchannel-logout`
      assert.ok(!('refusal' in (await changeProduct('painel', { backchannelLogoutUri }, { ...context, actor: 'operator:test' }))))
      const { visitor } = await signedIn()
      assert.equal((await visitor.open('/private')).status, 200)
      clock.now = Date.now()
      await endEverySession({ ...context, actor: 'operator:test' })
      await until(async () => (await visitor.open('/private')).status === 302, 2_000)
      await until(async () => (await context.storage.db.selectFrom('outbox').select('id').execute()).length === 0)
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      for (const body of ['', 'logout_token=a.b.c', `logout_token=${'a'.repeat(20_000)}`]) {
        const answer = await visitor.send('POST', '/auth/backchannel-logout', { headers, body })
        assert.deepEqual([answer.status, answer.headers['cache-control']], [400, 'no-store'], body.slice(0, 30))
      }
      assert.equal((await visitor.send('GET', '/auth/backchannel-logout')).status, 405)
    })

    it('receives events, each once, and again where its handler has failed', async () => {
      const body = JSON.stringify({ type: 'user.updated', timestamp: '2026-11-01T12:00:00Z', data: { user_id: 'u', name: 'Conceição' } })
      const send = (id: string, sent = body) => {
        const at = new Date()
        const headers = {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': new Webhook(EVENTS_SECRET).sign(id, at, body),
        }
        return newVisitor(app).send('POST', '/auth/events', { headers, body: sent })
      }
      const events: PortariaEvent[] = []
      handleEvent = (event) => {
        events.push(event)
        if (events.length === 1) throw new Error('planted')
      }
      const answers = [
        await send('a'),
        await send('a'),
        await send('a'),
        await send('b', `${body} `),
        await send('b', JSON.stringify({ x: 'x'.repeat(30_000) })),
      ]
      assert.deepEqual(
        answers.map(({ status, headers }) => [status, headers['cache-control']]),
        [500, 200, 200, 401, 413].map((status) => [status, 'no-store']),
      )
      assert.deepEqual(
        events.map(({ id, data }) => [id, data.name]),
        [
          ['a', 'Conceição'],
          ['a', 'Conceição'],
        ],
      )
      assert.equal((await newVisitor(app).send('GET', '/auth/events')).status, 405)
      assert.equal((await newVisitor(app).open('/open')).status, 200)
    })

    it('leaves the paths of others to them', async () => {
      for (const target of ['/auth', '/auth/other', '/auth/sign-in/more', '//auth/sign-in', '/AUTH/sign-in', '/api/auth/sessions'])
        assert.equal((await newVisitor(app).open(target)).status, 404, target)
    })

    it('leaves other routes their bodies', async () => {
      const body = JSON.stringify({ text: 'ã'.repeat(50_000) })
      const { status, text } = await newVisitor(app).send('POST', '/echo', { headers: { 'content-type': 'application/json' }, body })
      assert.equal(status, 200)
      assert.equal(text, body)
    })

    it('answers a HEAD without a body, and signs nobody in or out by it', async () => {
      const { visitor } = await signedIn()
      const { status, text, headers } = await visitor.send('HEAD', '/auth/sign-out')
      assert.deepEqual([status, text, headers.allow], [405, '', 'GET, POST'])
      assert.equal((await visitor.open('/private')).status, 200)
    })

    it('believes nobody who says where it lives', async () => {
      const lie = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example;proto=https' }
      const start = await newVisitor(app).open('/auth/sign-in', lie)
      assert.equal(new URL(start.headers.location ?? '').searchParams.get('redirect_to'), `${app}/auth/callback`)
      assert.equal((await newVisitor(app).open('/private', lie)).headers.location, '/auth/sign-in?return_to=%2Fprivate')
    })

    it("gives a fault to the framework's own way with faults", async () => {
      const routes = await newVisitor(app).open('/broken')
      assert.deepEqual([routes.status, routes.text], [500, caught])
      const guard = await newVisitor(app).open('/private?broken')
      assert.deepEqual([guard.status, guard.text], [500, 'caught planted in requireUser'])
    })

    it('goes on when browsers hang up, or ask oddly', async () => {
      const { host } = new URL(app)
      const start = [
        'GET /slow',
        'GET http://evil.example/slow',
        'TRACE /slow',
        'OPTIONS *',
        'GET //',
        'GET /%',
        'GET /slow#x',
        'CONNECT a:1',
      ]
      for (const line of start) {
        const socket = connect(Number(new URL(app).port), 'localhost').on('error', () => {})
        socket.write(`${line} HTTP/1.1\r\nHost: ${host}\r\nCookie: eg_session=x\r\nCookie: a=b\r\n\r\n`)
        await wait(20)
        socket.destroy()
      }
      await wait(150)
      assert.equal((await newVisitor(app).open('/open')).status, 200)
    })
  })
}
