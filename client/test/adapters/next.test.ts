import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
// Next's own: it wants to be loaded first, and gives `headers()` what it reads.
import 'next/dist/server/node-environment-baseline.js'
import { type WorkStore, workAsyncStorage } from 'next/dist/server/app-render/work-async-storage.external.js'
import { type WorkUnitStore, workUnitAsyncStorage } from 'next/dist/server/app-render/work-unit-async-storage.external.js'
import { Webhook } from 'standardwebhooks'
import { changeProduct } from '../../../server/src/products/index.ts'
import { endEverySession } from '../../../server/src/sessions/index.ts'
import { freePort } from '../../../server/test/support/free-port.ts'
import { until } from '../../../server/test/support/until.ts'
import { receiveEvents } from '../../src/events/index.ts'
import { PortariaError } from '../../src/index.ts'
import { createNextPortaria, type NextPortaria } from '../../src/next.ts'
import { toRequest } from '../../src/node.ts'
import { newVisitor, signInAtPortaria } from '../visitor.ts'
import { startPortariaFor } from './start-portaria.ts'

/** Runs something as Next would: answering a request, or building. Next itself, built and started, is a journey of the example. */
function within<T>(when: 'request' | 'prerender-legacy', headers: Headers, run: () => T): T {
  const work = { route: '/', page: '/page' } as unknown as WorkStore
  const unit = { type: when, phase: 'render', headers } as unknown as WorkUnitStore
  return workAsyncStorage.run(work, () => workUnitAsyncStorage.run(unit, run))
}
const onRequest = <T>(run: () => T, headers = new Headers()) => within('request', headers, run)
const noSettings = { url: '', appUrl: '' }
const there = { url: 'http://localhost:1', appUrl: 'https://app.example/shop' }
const fault = (run: Promise<unknown>): Promise<{ message: string; digest?: string }> =>
  run.then(
    () => assert.fail('it succeeded'),
    (error) => error,
  )

describe('An app of Next', () => {
  it('is built without settings: the first request names those that are missing', async () => {
    const { GET, session, requireUser } = createNextPortaria(noSettings)
    const uses: (() => Promise<unknown>)[] = [() => GET(new Request('https://x/auth/sign-in')), session, () => requireUser('/')]
    for (const use of uses) {
      const building = await fault(within('prerender-legacy', new Headers(), use))
      assert.equal(building.digest, 'DYNAMIC_SERVER_USAGE', 'Next hears that this can only be answered to a request')
      const answering = await fault(onRequest(use))
      assert.ok(answering instanceof PortariaError)
      assert.match(answering.message, /`url` is missing.*\n`appUrl` is missing/)
    }
  })

  it('can be made from the environment alone, by the functions as they are', async () => {
    const module = await import('../../src/next.ts')
    const { createNextPortaria: _, ...functions } = module
    assert.deepEqual(Object.keys(functions).sort(), Object.keys(createNextPortaria()).sort())
  })

  it('sends to sign in, at the address of the app, and back to the path given', async () => {
    const { requireUser } = createNextPortaria(there)
    const { digest } = await fault(onRequest(() => requireUser('/shop/reports?a=1')))
    assert.equal(digest, 'NEXT_REDIRECT;replace;https://app.example/shop/auth/sign-in?return_to=%2Fshop%2Freports%3Fa%3D1;307;')
    const elsewhere = await fault(onRequest(() => requireUser('https://evil.example/')))
    assert.equal(elsewhere.digest, 'NEXT_REDIRECT;replace;https://app.example/shop/auth/sign-in;307;')
  })

  it('N1: takes a path as Next knows it, without the basePath, for where to come back to', async () => {
    const { requireUser } = createNextPortaria(there)
    const { digest } = await fault(onRequest(() => requireUser('/reports?a=1')))
    assert.equal(digest, 'NEXT_REDIRECT;replace;https://app.example/shop/auth/sign-in?return_to=%2Fshop%2Freports%3Fa%3D1;307;')
  })

  it('N5: gives proxy.ts and route handlers a whole address to redirect to, or 401', async () => {
    const { requireUser, portaria } = createNextPortaria(there)
    const page = new Request('https://app.example/reports', { headers: { 'sec-fetch-mode': 'navigate' } })
    const wanted = 'https://app.example/shop/auth/sign-in?return_to=%2Fshop%2Freports'
    assert.equal((await onRequest(() => requireUser(page))).response?.headers.get('location'), wanted)
    assert.equal((await onRequest(() => portaria().requireUser(page))).response?.headers.get('location'), wanted)
    const call = new Request('https://app.example/api/notes', { headers: { 'sec-fetch-mode': 'cors' } })
    const { response } = await onRequest(() => requireUser(call))
    assert.deepEqual([response?.status, await response?.json()], [401, { status: 'signed_out', reason: 'no_session' }])
    const left = await onRequest(() => portaria().signOut(page, { returnTo: '/bye' }))
    assert.ok(URL.canParse(left.headers.get('location') ?? ''))
    const building = await fault(within('prerender-legacy', new Headers(), () => requireUser(page)))
    assert.equal(building.digest, 'DYNAMIC_SERVER_USAGE', 'nothing is answered while building')
  })

  it('answers its own paths, without the basePath that Next cuts off and with the slash that it adds, and no other', async () => {
    const { GET } = createNextPortaria(there)
    const statusOf = async (path: string) => (await onRequest(() => GET(new Request(`http://localhost:3000${path}`)))).status
    assert.equal(await statusOf('/auth/sign-in'), 302)
    assert.equal(await statusOf('/auth/sign-in/'), 302)
    assert.equal(await statusOf('/shop/auth/sign-in'), 302)
    assert.equal(await statusOf('/auth/other'), 404)
    assert.equal(await statusOf('/shopping/auth/sign-in'), 404)
  })

  it('receives events at a route of its own, without the basePath as well', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const names: unknown[] = []
    const { POST } = createNextPortaria({ ...there, onEvent: receiveEvents(({ data }) => names.push(data.name), { secret }) })
    const body = JSON.stringify({ type: 'user.updated', timestamp: '2026-11-01T12:00:00Z', data: { user_id: 'u', name: 'Conceição' } })
    const deliver = async (path: string, id: string) => {
      const at = new Date()
      const signature = new Webhook(secret).sign(id, at, body)
      const headers = { 'webhook-id': id, 'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`, 'webhook-signature': signature }
      return (await onRequest(() => POST(new Request(`http://localhost:3000${path}`, { method: 'POST', headers, body })))).status
    }
    assert.deepEqual(
      [await deliver('/auth/events', 'a'), await deliver('/shop/auth/events', 'b'), await deliver('/events', 'c')],
      [200, 200, 404],
    )
    assert.deepEqual(names, ['Conceição', 'Conceição'])
  })

  it("has Next's router go to sign in by the browser, and no other page start that behind the back", async () => {
    const { GET } = createNextPortaria(there)
    const start = (headers: Record<string, string>) => onRequest(() => GET(new Request('https://x/auth/sign-in', { headers })))
    const router = await start({ 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' })
    assert.deepEqual([router.status, router.headers.getSetCookie(), router.headers.get('cache-control')], [204, [], 'no-store'])
    assert.equal((await start({ 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' })).status, 403)
    assert.equal((await start({ 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'cross-site' })).status, 403)
  })

  it('asks Portaria past the fetch that Next puts in place, which keeps what it gets where a page says so', async () => {
    const runtimes = globalThis.fetch
    const calls: Array<[string, RequestInit | undefined]> = []
    const hear = (by: string): typeof fetch => {
      const answer: typeof fetch = async (_, init) => {
        calls.push([by, init])
        return Response.json({ keys: [] })
      }
      return answer
    }
    const use = () => onRequest(() => createNextPortaria({ ...there, apiKey: 'sk_1', onFault: () => {} }).checkAccess({ userId: 'u' }))
    try {
      globalThis.fetch = Object.assign(hear('Next'), { _nextOriginalFetch: hear('the runtime') })
      await assert.rejects(use(), PortariaError)
      globalThis.fetch = hear('a fetch of another version')
      await assert.rejects(use(), PortariaError)
    } finally {
      globalThis.fetch = runtimes
    }
    assert.deepEqual(
      calls.map(([by, init]) => [by, init?.cache]),
      [
        ['the runtime', undefined],
        ['a fetch of another version', 'no-store'],
      ],
    )
    const own = createNextPortaria({ ...there, apiKey: 'sk_1', fetch: hear('that of the options') })
    await assert.rejects(onRequest(() => own.checkAccess({ userId: 'u' })))
    assert.equal(calls.at(-1)?.[0], 'that of the options')
  })

  it('asks who may use the product with its key', async () => {
    await assert.rejects(
      onRequest(() => createNextPortaria(there).checkAccess({ userId: 'x' })),
      /PORTARIA_API_KEY is missing/,
    )
  })
})

describe('An app of Next with the service behind it', () => {
  let app = ''
  let next: NextPortaria
  let fixture: Awaited<ReturnType<typeof startPortariaFor>>
  let stop = () => {}
  before(async () => {
    const port = await freePort()
    app = `http://localhost:${port}`
    fixture = await startPortariaFor(app)
    next = createNextPortaria({ url: fixture.service.url, appUrl: app, timeoutMs: 60_000 })
    const serve = async (req: IncomingMessage, res: ServerResponse) => {
      const received = toRequest(req, { origin: app })
      const request = req.method === 'POST' ? new Request(received, { body: await text(req) }) : received
      const response = await onRequest(() => answer(request), request.headers)
      for (const [name, value] of response.headers) res.appendHeader(name, value)
      res.writeHead(response.status).end(await response.text())
    }
    const server = createServer((req, res) => void serve(req, res)).listen(port, 'localhost')
    await once(server, 'listening')
    stop = () => server.close()
  })
  after(async () => {
    stop()
    await fixture.stop()
  })
  const answer = async (request: Request): Promise<Response> => {
    if (!new URL(request.url).pathname.startsWith('/page')) return request.method === 'POST' ? next.POST(request) : next.GET(request)
    const user = await next.requireUser()
    return Response.json({ user, session: await next.session(), me: await next.me(), token: (await next.accessToken())?.split('.').length })
  }

  it('signs in and out, and knows the user in every component', async () => {
    const visitor = newVisitor(app)
    const callback = await signInAtPortaria(visitor, fixture.service, 'ana@exemplo.com.br', '/page')
    const arrived = await visitor.open(callback.pathname + callback.search)
    assert.deepEqual([arrived.status, arrived.headers.location, arrived.setCookies.length], [302, `${app}/page`, 3])
    const page = JSON.parse((await visitor.open('/page')).text)
    assert.equal(page.user.name, 'Ana Flávia Conceição')
    assert.deepEqual(page.session, { status: 'signed_in', user: page.user })
    assert.deepEqual([page.me.id, page.token], [page.user.id, 3])
    const left = await visitor.send('POST', '/auth/sign-out', { headers: { 'sec-fetch-site': 'same-origin' } })
    assert.equal(left.status, 302)
    assert.equal((await visitor.send('GET', '/api/auth/session')).text, '{"status":"signed_out","reason":"no_session"}')
  })

  it('ends a session within two seconds of its end at Portaria, and answers 400 to whoever else reports one', async () => {
    const { context, clock } = fixture.service
    const operator = { ...context, actor: 'operator:test' } as const
    const backchannelLogoutUri = `${app}/auth/backchannel-logout`
    assert.ok(!('refusal' in (await changeProduct('painel', { backchannelLogoutUri }, operator))))
    const visitor = newVisitor(app)
    const callback = await signInAtPortaria(visitor, fixture.service, 'ana@exemplo.com.br', '/page')
    await visitor.open(callback.pathname + callback.search)
    const sessionOf = async () => JSON.parse((await visitor.send('GET', '/api/auth/session')).text)
    assert.equal((await sessionOf()).status, 'signed_in')
    clock.now = Date.now()
    await endEverySession(operator)
    await until(async () => (await sessionOf()).reason === 'ended', 2_000)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const body of ['', 'logout_token=a.b.c'])
      assert.equal((await visitor.send('POST', '/auth/backchannel-logout', { headers, body })).status, 400)
    assert.equal((await visitor.open('/auth/backchannel-logout')).status, 405)
  })
})
