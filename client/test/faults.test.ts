import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { freePort } from '../../server/test/support/free-port.ts'
import { until } from '../../server/test/support/until.ts'
import { parameter } from '../../server/test/support/users/sign-in-steps.ts'
import { PortariaError } from '../src/index.ts'
import { impatientWith, watchedCalls } from './calls.ts'
import { FAILURES, type ProxyMode } from './faulty-proxy.ts'
import { type Fixture, fixtureForSuite, reasonOf, signedIn, sqlite, through, tokenOf, user, Visitor } from './fixture.ts'

const MINUTE = 60_000
const failures = Object.keys(FAILURES) as Array<Exclude<ProxyMode, 'passes'>>
const carrying = (token: string) => ({ headers: new Headers({ cookie: `eg_session=${token}` }) })

describe('While Portaria fails', () => {
  const started = fixtureForSuite(sqlite)

  for (const failure of failures) {
    it(`it ${failure}: who was confirmed stays signed in for ten minutes after the last confirmation, and not longer`, async () => {
      const fixture = started()
      const calls = watchedCalls()
      // A failing answer reaches the client as it is.
      const call: typeof fetch = (...asked) => (fixture.proxy.isFailing() ? fetch : calls.fetch)(...asked)
      const app = fixture.internal(impatientWith(fixture.proxy, call))
      const someone = await signedIn(fixture, app)
      app.clock.now += 5 * MINUTE
      assert.equal(await reasonOf(someone.at.session()), someone.id)
      await calls.areOver()
      fixture.proxy.setMode(failure)
      app.clock.now += 10 * MINUTE - 1
      assert.equal(await reasonOf(someone.at.session()), someone.id)
      // A page does not wait for an answer that takes longer than usual: the fault is heard of when it comes.
      await until(() => app.faults.length > 0)
      assert.match(app.faults.join(), new RegExp(`^${fixture.service.url} (does not answer|answers \\d+( without JSON)?) at /auth/check$`))
      assert.doesNotMatch(app.faults.join(), /eyJ|sk_/)
      app.clock.now += 1
      for (let time = 0; time < 2; time++) {
        assert.equal(await reasonOf(someone.at.session()), 'unconfirmed')
        app.clock.now += MINUTE
      }
      fixture.proxy.setMode('passes')
      assert.equal(await reasonOf(someone.at.session()), someone.id, 'and is signed in again when Portaria is back')
    })

    it(`it ${failure}: nobody is signed in who was not confirmed, with keys or without`, async () => {
      const fixture = started()
      const app = fixture.internal(impatientWith(fixture.proxy))
      const [known, someone] = [await signedIn(fixture, app), await signedIn(fixture, fixture.internal())]
      fixture.proxy.setMode(failure)
      assert.equal(await reasonOf(app.portaria.session(carrying(tokenOf(someone)))), 'unconfirmed')
      assert.equal(await reasonOf(known.at.session()), known.id)
      const without = fixture.internal(impatientWith(fixture.proxy))
      assert.equal(await reasonOf(without.portaria.session(carrying(tokenOf(someone)))), 'unconfirmed')
      assert.match(without.faults[0] ?? '', /^no keys to verify sessions with: /)
      const { user, response } = await without.portaria.requireUser(new Visitor(without).request('/x'))
      assert.deepEqual([user, response?.status], [undefined, 302])
    })

    it(`it ${failure}: a sign-in under way ends at a page, signed out`, async () => {
      const fixture = started()
      for (const app of [fixture.internal(impatientWith(fixture.proxy)), await fixture.external(impatientWith(fixture.proxy))]) {
        fixture.proxy.setMode('passes')
        const { at, browser, email } = await user(fixture, app)
        const back = await through(browser, (await at.open('/auth/sign-in')).location, email)
        fixture.proxy.setMode(failure)
        const stopped = await at.open(back)
        assert.deepEqual([stopped.status, stopped.setCookies.eg_session], [503, undefined])
        assert.match(stopped.text, /We could not finish signing you in.*href="\/auth\/sign-in"/s)
        assert.equal(await reasonOf(at.session()), 'no_session')
      }
    })

    it(`it ${failure}: nothing is made of an access token, a profile or an access check`, async () => {
      const fixture = started()
      const app = await fixture.external(impatientWith(fixture.proxy))
      const someone = await signedIn(fixture, app)
      fixture.proxy.setMode(failure)
      const request = someone.at.request('/')
      const isUnavailable = (fault: unknown) =>
        fault instanceof PortariaError && fault.code === 'unavailable' && !/eyJ|sk_|forged/.test(fault.message)
      await assert.rejects(app.portaria.accessToken(request), isUnavailable)
      await assert.rejects(app.portaria.me(request), isUnavailable)
      await assert.rejects(app.portaria.checkAccess({ email: someone.email }), isUnavailable)
    })
  }

  it('an answer about another user confirms nobody: neither whom it is asked about, nor whom it names', async () => {
    const fixture = started()
    const app = fixture.internal()
    const someone = await signedIn(fixture, app)
    fixture.proxy.setMode('answers about another', '/auth/check')
    app.clock.now += MINUTE
    await until(async () => (await reasonOf(someone.at.session())) === 'ended')
    fixture.proxy.setMode('passes')
    app.clock.now += MINUTE
    assert.equal(await reasonOf(someone.at.session()), someone.id)
  })

  it('a sign-out elsewhere that was seen stays seen', async () => {
    const fixture = started()
    const app = fixture.internal()
    const someone = await signedIn(fixture, app)
    await someone.browser.get('/auth/signout')
    app.clock.now += MINUTE
    await until(async () => (await reasonOf(someone.at.session())) === 'ended')
    fixture.proxy.setMode('answers 500')
    for (const minutes of [0, 1, 5, 5]) {
      app.clock.now += minutes * MINUTE
      assert.equal(await reasonOf(someone.at.session()), 'ended')
    }
  })

  it('ten minutes are ten minutes, also where the clock is set back meanwhile', async () => {
    const fixture = started()
    const app = fixture.internal()
    app.clock.now += 60 * MINUTE
    const someone = await signedIn(fixture, app)
    fixture.proxy.setMode('answers 500')
    app.clock.now -= 60 * MINUTE
    assert.equal(await reasonOf(someone.at.session()), someone.id)
    await until(() => app.faults.length > 0)
    app.clock.now += 10 * MINUTE
    assert.equal(await reasonOf(someone.at.session()), 'unconfirmed')
  })

  it('a call that failed is not made again for five seconds, and then by one of fifty requests', async () => {
    const fixture = started()
    const app = fixture.internal()
    const someone = await signedIn(fixture, app)
    fixture.proxy.setMode('answers 503')
    app.clock.now += MINUTE
    assert.equal(await reasonOf(someone.at.session()), someone.id)
    await until(() => app.faults.length > 0)
    fixture.proxy.asked()
    app.clock.now += 4_999
    assert.equal(await reasonOf(someone.at.session()), someone.id)
    assert.deepEqual(fixture.proxy.asked(), [])
    app.clock.now += 1
    await Promise.all(Array.from({ length: 50 }, () => someone.at.session()))
    await until(() => fixture.proxy.count('/auth/check') >= 1)
    assert.equal(fixture.proxy.count('/auth/check'), 1)
  })

  it('it is slow: an answer that comes too late is none, and one in time is one', async () => {
    const fixture = started()
    const someone = await signedIn(fixture, fixture.internal())
    const slow =
      (ms: number): typeof fetch =>
      async (input, init) => {
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
        setTimeout(resolve, ms).unref()
        await promise
        return fetch(input, init)
      }
    assert.equal(
      await reasonOf(fixture.internal({ timeoutMs: 20_000, fetch: slow(10) }).portaria.session(carrying(tokenOf(someone)))),
      someone.id,
    )
    const late = fixture.internal({ timeoutMs: 30, fetch: slow(60_000) })
    const before = performance.now()
    assert.equal(await reasonOf(late.portaria.session(carrying(tokenOf(someone)))), 'unconfirmed')
    // Not after the minute that the answer takes.
    assert.ok(performance.now() - before < 20_000)
  })

  it('the keys alone can be had: a token is verified and yet not believed', async () => {
    const fixture = started()
    const someone = await signedIn(fixture, fixture.internal())
    fixture.proxy.setMode('answers 500', '/auth/check')
    const app = fixture.internal()
    assert.equal(await reasonOf(app.portaria.session(carrying(tokenOf(someone)))), 'unconfirmed')
    assert.deepEqual(app.faults, [`${fixture.service.url} answers 500 at /auth/check`])
  })

  it('the keys alone are away: the reason says so, and a token that is none stays none', async () => {
    const fixture = started()
    const someone = await signedIn(fixture, fixture.internal())
    fixture.proxy.setMode('answers a page', '/.well-known/jwks.json')
    const app = fixture.internal()
    fixture.proxy.asked()
    assert.equal(await reasonOf(app.portaria.session(carrying(tokenOf(someone)))), 'unconfirmed')
    assert.equal(await reasonOf(app.portaria.session(carrying('x'))), 'invalid')
    assert.equal(fixture.proxy.count('/auth/check'), 0)
  })

  it('the exchange of an eg_token can be done once it is back, since a failure used nothing up', async () => {
    const fixture = started()
    const app = await fixture.external()
    const { at, browser, email } = await user(fixture, app)
    const back = await through(browser, (await at.open('/auth/sign-in')).location, email)
    parameter(back, 'eg_token')
    const attempt = new Map(at.cookies)
    fixture.proxy.setMode('answers 503')
    assert.equal((await at.open(back)).status, 503)
    fixture.proxy.setMode('passes')
    for (const [name, value] of attempt) at.cookies.set(name, value)
    assert.equal((await at.open(back)).status, 302)
  })

  it('a listener of faults that throws, at once or later, signs nobody out; and it hears the same once in five seconds', async () => {
    const fixture = started()
    for (const onFault of [
      () => {
        throw new Error('the log is away')
      },
      () => Promise.reject(new Error('the log is away')),
    ]) {
      const app = fixture.internal({ onFault })
      fixture.proxy.setMode('passes')
      const someone = await signedIn(fixture, app)
      app.clock.now += MINUTE
      fixture.proxy.setMode('is down')
      assert.equal(await reasonOf(someone.at.session()), someone.id)
    }
    const app = fixture.internal({ confirmEverySeconds: 0 })
    fixture.proxy.setMode('passes')
    const someone = await signedIn(fixture, app)
    fixture.proxy.setMode('answers 500')
    for (const ms of [0, 0, 4_999, 1]) {
      app.clock.now += ms
      await someone.at.session()
      // A page does not wait for an answer that takes longer than usual: the fault is heard of when it comes.
      await until(() => app.faults.length >= 1)
    }
    await until(() => app.faults.length >= 2)
    assert.equal(app.faults.length, 2, 'at the beginning and after five seconds')
    app.clock.now -= 60 * MINUTE
    await someone.at.session()
    await until(() => app.faults.length >= 3)
    assert.equal(app.faults.length, 3)
  })

  it('an answer without end is none, and is not read to its end', async () => {
    const fixture = started()
    const someone = await signedIn(fixture, fixture.internal())
    let sent = 0
    const pull = (body: ReadableStreamDefaultController<Uint8Array>) => {
      sent += 10_000
      if (sent > 10_000_000) body.close()
      else body.enqueue(new Uint8Array(10_000).fill(32))
    }
    const app = fixture.internal({
      apiKey: 'sk_x',
      fetch: (input, init) =>
        String(input).includes('jwks') ? fetch(input, init) : Promise.resolve(new Response(new ReadableStream({ pull }))),
    })
    assert.equal(await reasonOf(app.portaria.session(carrying(tokenOf(someone)))), 'unconfirmed')
    await assert.rejects(app.portaria.checkAccess({ userId: 'u' }), PortariaError)
    assert.ok(sent < 300_000, `${sent} bytes`)
    assert.deepEqual(app.faults, [`${fixture.service.url} answers 200 without JSON at /auth/check`])
  })

  it('a sign-out still signs out here, and says no word of it to who waits', async () => {
    const fixture = started()
    const app = await fixture.external(impatientWith(fixture.proxy))
    const someone = await signedIn(fixture, app)
    fixture.proxy.setMode('hangs')
    const out = await someone.at.open('/auth/sign-out', { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } })
    assert.deepEqual([out.status, out.headers.get('location')], [302, '/'])
    assert.equal(await reasonOf(someone.at.session()), 'no_session')
    assert.deepEqual(app.faults, [`${fixture.service.url} does not answer at /auth/signout`])
  })
})

describe('What is no Portaria at all', () => {
  const started = fixtureForSuite(sqlite)

  it('signs nobody in: a closed port, a name that is none, a server of somebody else', async () => {
    const fixture = started()
    const someone = await signedIn(fixture, fixture.internal())
    const other = await otherPortaria(fixture)
    for (const url of [`http://localhost:${await freePort()}`, 'http://portaria.invalid', other.url]) {
      const app = fixture.internal({ url, timeoutMs: 1000 })
      assert.ok(['unconfirmed', 'invalid'].includes(await reasonOf(app.portaria.session(carrying(tokenOf(someone))))), url)
    }
    other.stop()
  })
})

/** Publishes the same keys under another address, as a copy of the service on a staging host would: another issuer. */
async function otherPortaria({ service }: Fixture): Promise<{ url: string; stop(): void }> {
  const jwks = await (await fetch(`${service.url}/.well-known/jwks.json`)).text()
  const server = createServer((request, response) => {
    const isKeys = request.url === '/.well-known/jwks.json'
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(isKeys ? jwks : JSON.stringify({ authenticated: true, session: { sub: 'x', name: 'x' } }))
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, stop: () => void server.close() }
}
