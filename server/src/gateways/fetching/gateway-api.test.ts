import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { hurry } from '../../../test/support/command-line.ts'
import { createGuardedFetch } from '../../guarded-fetch/index.ts'
import { FatalJobFault, TryLater } from '../../outbox/index.ts'
import { createGatewayApi, UnknownToGateway } from './gateway-api.ts'

const TOKEN = 'an-access-token-that-nobody-may-see'
const CUSTOMER = 'cus_of_a_buyer'
const NOW = Date.parse('2026-11-21T12:00:00Z')
const guardedFetch = createGuardedFetch({ allowPrivate: [], isDevelopment: true })

interface Asked {
  method: string | undefined
  url: string | undefined
  headers: Record<string, unknown>
}

/** A gateway's API with the test's answers, and the requests that it got. */
async function startApi(listener: RequestListener): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const { method, url, headers } = request
    asked.push({ method, url, headers })
    listener(request, response)
  }).listen(0, 'localhost')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, asked }
}

function apiAt(url: string, { apiUrl }: { apiUrl?: string } = {}) {
  const adapter = { api: { url, headers: (accessToken: string) => ({ authorization: `Bearer ${accessToken}` }) } }
  return createGatewayApi({ guardedFetch, adapter, credentials: { accessToken: TOKEN, apiUrl }, now: () => NOW })
}

async function faultOf(asking: Promise<unknown>): Promise<Error> {
  return asking.then(
    (answer) => assert.fail(`it was answered: ${JSON.stringify(answer)}`),
    (fault: unknown) => (fault instanceof Error ? fault : assert.fail('no error was thrown')),
  )
}

/** The fault for such an answer. It never holds the token, the body, or an id from the path. */
async function faultAfter(listener: RequestListener): Promise<Error> {
  const { url } = await startApi(listener)
  const fault = await faultOf(apiAt(url).get(`/v1/customers/${CUSTOMER}?expand=email`))
  assert.equal(fault.cause, undefined, 'the fault of fetch may quote a header')
  for (const text of [fault.message, String(fault.stack), JSON.stringify(fault)]) {
    for (const secret of [TOKEN, CUSTOMER, 'ana@example.com', 'expand']) assert.ok(!text.includes(secret), text)
  }
  return fault
}

function kindOf(fault: Error): 'fatal' | 'later' | 'again' {
  return fault instanceof FatalJobFault ? 'fatal' : fault instanceof TryLater ? 'later' : 'again'
}

const status =
  (code: number, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(code, { 'content-type': 'application/json', ...headers }).end('{"email":"ana@example.com"}')

describe("A gateway's API", () => {
  it('is asked by GET, below its own address, with the token in the header of the gateway, and answers JSON', async () => {
    const { url, asked } = await startApi(status(200))
    assert.deepEqual(await apiAt(url).get('/v1/customers/cus_1?payment[type]=a%20b'), { email: 'ana@example.com' })
    const [first] = asked
    assert.deepEqual([first?.method, first?.url], ['GET', '/v1/customers/cus_1?payment[type]=a%20b'])
    const { authorization, accept, 'user-agent': agent } = first?.headers ?? {}
    assert.deepEqual([authorization, accept, agent], [`Bearer ${TOKEN}`, 'application/json', 'Portaria'])
  })

  it('is asked at the address that the operator has given, path and all', async () => {
    const { url, asked } = await startApi(status(200))
    await apiAt('https://api.example.com/v9', { apiUrl: `${url}/sandbox/v3` }).get('/payments/1')
    await apiAt(`${url}/v3/`).get('/payments/1')
    assert.deepEqual(
      asked.map((one) => one.url),
      ['/sandbox/v3/payments/1', '/v3/payments/1'],
    )
  })

  it('is never asked for what an id turns into something else', async () => {
    const { url, asked } = await startApi(status(200))
    for (const path of [
      '/v1/payments/../users',
      '/v1/%2e%2e/users',
      '/v1/a\\b',
      '/v1/a#/b',
      '.evil.example/v1',
      '@evil.example/',
      '/v1/a b',
      '',
      '/v1/\n',
    ]) {
      const fault = await faultOf(apiAt(`${url}/api`).get(path))
      assert.equal(kindOf(fault), 'fatal', JSON.stringify(path))
      assert.equal(fault.message, "the gateway sent an id that can't stand in an address")
    }
    assert.equal(asked.length, 0)
  })

  it('that refuses the access token is tried again, and says so plainly', async () => {
    for (const code of [401, 403]) {
      const fault = await faultAfter(status(code))
      assert.deepEqual([kindOf(fault), fault.message], ['again', `the gateway refuses the access token (${code})`])
    }
  })

  it('that does not know what it is asked for says so in a way that whoever asks can distinguish', async () => {
    const fault = await faultAfter(status(404))
    assert.ok(fault instanceof UnknownToGateway)
    assert.deepEqual([kindOf(fault), fault.message], ['fatal', 'the gateway does not know what it is asked for (404)'])
  })

  it('is asked again when it says: in seconds, or at a time', async () => {
    const waits: Array<[code: number, retryAfter: string, afterMs: number]> = [
      [429, '120', 120_000],
      [503, '120', 120_000],
      [429, 'Sat, 21 Nov 2026 12:01:30 GMT', 90_000],
      [503, 'Sat, 21 Nov 2026 12:01:30 GMT', 90_000],
      [429, 'Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ]
    for (const [code, header, afterMs] of waits) {
      const fault = await faultAfter(status(code, { 'retry-after': header }))
      assert.ok(fault instanceof TryLater, `${code} ${header}`)
      assert.equal(fault.afterMs, afterMs)
      assert.match(fault.message, new RegExp(`^the gateway .+ \\(${code}\\)$`))
    }
  })

  it('is asked again with the usual patience where it does not say when, or says it in no form there is; asked too often, it is left alone for ten seconds', async () => {
    for (const header of ['soon', '-5', '1.5', '2026-11-21', ' GMT', '99999999999', undefined]) {
      const headers = header === undefined ? undefined : { 'retry-after': header }
      assert.equal(kindOf(await faultAfter(status(503, headers))), 'again', header)
      const tooOften = await faultAfter(status(429, headers))
      assert.ok(tooOften instanceof TryLater, header)
      assert.equal(tooOften.afterMs, 10_000)
    }
    for (const code of [400, 422, 500, 502, 504]) {
      const fault = await faultAfter(status(code, { 'retry-after': '120' }))
      assert.deepEqual([kindOf(fault), fault.message], ['again', `the gateway does not answer as it should (${code})`])
    }
  })

  it('is not followed elsewhere', async () => {
    const elsewhere = await startApi(status(200))
    const fault = await faultAfter(status(302, { location: elsewhere.url }))
    assert.deepEqual([kindOf(fault), fault.message], ['again', 'the gateway sends us elsewhere (302), and no redirect is followed'])
    assert.equal(elsewhere.asked.length, 0)
  })

  it('that answers no JSON, half of it or nothing is tried again', async () => {
    const bodies = ['<h1>ana@example.com</h1>', '{"email":"ana@example.com"', '']
    for (const body of bodies) {
      const fault = await faultAfter((_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(body))
      assert.deepEqual([kindOf(fault), fault.message], ['again', "the gateway's answer is no JSON"])
    }
    assert.equal((await faultAfter(status(204))).message, "the gateway's answer is no JSON")
  })

  it('is heard for 1 MiB and no more, packed or not', async () => {
    const long = JSON.stringify('x'.repeat(1_100_000))
    const answers: RequestListener[] = [
      (_request, response) => void response.end(long),
      (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(long)),
    ]
    for (const answer of answers) {
      const fault = await faultAfter(answer)
      assert.deepEqual([kindOf(fault), fault.message], ['again', 'the answer of the gateway is longer than 1 MiB'])
    }
    const { url } = await startApi((_request, response) => void response.end(JSON.stringify('x'.repeat(1_048_000))))
    assert.equal(String(await apiAt(url).get('/long')).length, 1_048_000)
  })

  const slow: Array<[string, RequestListener]> = [
    ['never begins to answer', () => undefined],
    ['never ends its answer', (_request, response) => void response.writeHead(200).write('{"email":')],
  ]
  for (const [how, listener] of slow) {
    it(`that ${how} is given up after ten seconds, and tried again`, async (context: TestContext) => {
      const waits = hurry(context)
      const fault = await faultAfter(listener)
      assert.equal(kindOf(fault), 'again')
      assert.match(fault.message, /^localhost:\d+ does not answer in time: /)
      assert.deepEqual(waits, [10_000])
    })
  }

  it('that breaks off, or is not there, is tried again', async () => {
    const dropped = await faultAfter((_request, response) => void response.destroy())
    assert.match(dropped.message, /^localhost:\d+ ends the connection in place of an answer/)
    const half = await faultAfter((_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"email":', () => response.destroy())
    })
    assert.match(half.message, /^localhost:\d+ ends the connection in place of an answer/)
    const absent = await faultOf(apiAt('http://localhost:2').get('/v1/payments/1'))
    assert.match(absent.message, /^localhost:2 does not answer/)
    for (const fault of [dropped, half, absent]) assert.equal(kindOf(fault), 'again')
  })

  it('is not reached inside our own network, and a token that no header can hold is not sent', async () => {
    const { url, asked } = await startApi(status(200))
    const adapter = { api: { url: url.replace('http:', 'https:'), headers: (authorization: string) => ({ authorization }) } }
    const deps = { adapter, credentials: { accessToken: TOKEN, apiUrl: undefined }, now: () => NOW }
    const shut = createGuardedFetch({ allowPrivate: [], isDevelopment: false })
    const inside = await faultOf(createGatewayApi({ ...deps, guardedFetch: shut }).get('/v1/payments/1'))
    assert.match(inside.message, /^localhost leads to a private address: PORTARIA_ALLOW_PRIVATE/)
    const odd = await faultOf(
      createGatewayApi({ ...deps, credentials: { accessToken: `${TOKEN}\n\0`, apiUrl: url }, guardedFetch }).get('/v1/payments/1'),
    )
    assert.match(odd.message, /^the call to localhost:\d+ failed$/)
    assert.ok(!String(odd.stack).includes(TOKEN))
    assert.equal(odd.cause, undefined)
    assert.equal(asked.length, 0)
  })
})
