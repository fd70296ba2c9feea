import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { createGuardedFetch, mayCall } from '../../src/guarded-fetch/guarded-fetch.ts'

const production = { allowPrivate: [], isDevelopment: false }
const development = { allowPrivate: [], isDevelopment: true }

/** A server inside, which counts who got to it. */
async function startInside(listener: RequestListener): Promise<{ port: number; calls: () => number }> {
  let calls = 0
  const server = createServer((request, response) => {
    calls += 1
    listener(request, response)
  }).listen(0, 'localhost')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, calls: () => calls }
}

/** A name server that gives every name these addresses. */
async function startNameServer({ four, six }: { four: string | undefined; six: string | undefined }) {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, 12) + 5
    const question = query.subarray(12, end)
    const isFour = query.readUInt16BE(end - 4) === 1
    const found = isFour ? four : six
    const bytes = found === undefined ? [] : ipaddr.parse(found).toByteArray()
    // The name again as a pointer to the question; type; class; 60 s; the address (RFC 1035 §4.1.3).
    const record = [0xc0, 12, 0, isFour ? 1 : 28, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]
    const head = [query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, found === undefined ? 0 : 1, 0, 0, 0, 0]
    socket.send(Buffer.from([...head, ...question, ...(found === undefined ? [] : record)]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  // A test that fails must not wait for it.
  socket.unref()
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() }
}

/** Why a call failed, down to the deepest cause. */
async function refusalOf(call: Promise<Response>): Promise<string> {
  const fault = await call.then(
    ({ status }) => assert.fail(`it was answered: ${status}`),
    (error: Error) => error,
  )
  const reasons = [fault.message]
  for (let cause = fault.cause; cause instanceof Error; cause = cause.cause) reasons.push(cause.message)
  return reasons.join(': ')
}

describe('30 (our server as a way into our network): a call to others', () => {
  const hosts = [
    ['127.0.0.1', '127.1', '127.0.0.1.', '2130706433', '0x7f000001', '0177.0.0.1', '0x7f.1', '%31%32%37.0.0.1', '127.255.255.254'],
    ['10.0.0.1', '10.255.255.255', '167772161', '012.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '0xc0a80001'],
    ['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '100.64.0.1', '198.18.0.1', '0.0.0.0', '0', '255.255.255.255'],
    ['224.0.0.1', '240.0.0.1', '192.0.0.170', '192.0.2.1', '198.51.100.1', '203.0.113.1'],
    ['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[fe80::1]', '[fec0::1]', '[fc00::1]', '[fd12:3456::1]', '[ff02::1]', '[2001:db8::1]'],
    ['[::ffff:127.0.0.1]', '[::ffff:a00:1]', '[::ffff:169.254.169.254]', '[::127.0.0.1]', '[::a9fe:a9fe]', '[::ffff:0:127.0.0.1]'],
    ['[64:ff9b::127.0.0.1]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b:1::a00:1]', '[2002:7f00:1::]', '[2002:a9fe:a9fe::]', '[2001:0:1::]'],
    ['１２７.0.0.1', '127。0。0。1', '①②⑦.0.0.1'],
  ].flat()
  for (const host of hosts) {
    it(`never leaves for ${host}`, async () => {
      assert.match(await refusalOf(createGuardedFetch(production)(`https://${host}/`)), /is a private address/)
    })
  }

  it('never leaves for a name that leads inside, which is found out by the connection itself (rebinding)', async () => {
    const inside = await startInside((_request, response) => response.end('secret'))
    assert.match(await refusalOf(createGuardedFetch(production)(`https://localhost:${inside.port}/`)), /leads to a private address/)
    assert.equal(inside.calls(), 0)
  })

  it('never leaves either for a name that the name servers themselves lead inside, in whatever family', async () => {
    const inside = await startInside((_request, response) => response.end('secret'))
    for (const [four, six] of [['127.0.0.1'], ['169.254.169.254'], [undefined, '::1'], ['93.184.216.34', '::ffff:10.0.0.1']]) {
      const { address, close } = await startNameServer({ four, six })
      const guardedFetch = createGuardedFetch({ ...production, names: 'dns', nameServers: [address] })
      assert.match(await refusalOf(guardedFetch(`https://rebind.example:${inside.port}/`)), /leads to a private address/)
      close()
    }
    assert.equal(inside.calls(), 0)
  })

  it('goes where the name servers lead, if the operator allows it, and nowhere without an answer', async () => {
    const inside = await startInside((_request, response) => response.end('welcome'))
    const { address, close } = await startNameServer({ four: '127.0.0.1', six: undefined })
    const names = { names: 'dns', nameServers: [address] } as const
    const answer = await createGuardedFetch({ ...development, ...names })(`http://some.example:${inside.port}/`)
    assert.equal(await answer.text(), 'welcome')
    close()
    const nobody = await startNameServer({ four: undefined, six: undefined })
    const asked = createGuardedFetch({ ...development, names: 'dns', nameServers: [nobody.address] })
    assert.match(await refusalOf(asked(`http://some.example:${inside.port}/`)), /ENOTFOUND|ENODATA/)
    nobody.close()
  })

  it('is as long as the caller says, at most', async () => {
    const inside = await startInside((_request, response) => response.end('x'.repeat(6_000)))
    const guardedFetch = createGuardedFetch({ ...development, maxBytes: 5_000 })
    const reading = guardedFetch(`http://localhost:${inside.port}/`).then((answer) => answer.text())
    await assert.rejects(reading)
  })

  it('is not made over http, nor by any other scheme', async () => {
    for (const url of ['http://example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'data:text/plain,x', 'javascript:1'])
      assert.match(await refusalOf(createGuardedFetch(production)(url)), /only https/)
    assert.match(await refusalOf(createGuardedFetch(development)('file:///etc/passwd')), /only https/)
  })

  it('may go where the operator says, and nowhere beside it', () => {
    const options = { allowPrivate: ['10.1.0.0/16', '192.168.7.9', 'fd00:1::/32', '127.0.0.1'], isDevelopment: false }
    for (const address of ['10.1.0.1', '::ffff:10.1.255.255', '192.168.7.9', 'fd00:1::5', '127.0.0.1', '93.184.216.34'])
      assert.ok(mayCall(address, options), address)
    for (const address of ['10.2.0.1', '::ffff:10.0.255.255', '192.168.7.8', 'fd00:2::5', '127.0.0.2', '::1', '169.254.169.254'])
      assert.ok(!mayCall(address, options), address)
  })

  it('may stay at home in development, but not go to the cloud metadata address', () => {
    for (const address of ['127.0.0.1', '::1', '10.0.0.1', '192.168.1.1', 'fd00::1']) assert.ok(mayCall(address, development), address)
    for (const address of ['169.254.169.254', '::ffff:169.254.169.254', 'fe80::1', '0.0.0.0', '64:ff9b::7f00:1', '::7f00:1'])
      assert.ok(!mayCall(address, development), address)
  })

  it('goes to no private IPv4 address in whatever IPv6 form it is written', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    const inside = fc.oneof(
      fc.tuple(fc.constantFrom(10, 127, 0), byte, byte, byte),
      fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
      fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
    )
    fc.assert(
      fc.property(inside, fc.constantFrom('', '::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::'), (bytes, prefix) =>
        assert.ok(!mayCall(`${prefix}${bytes.join('.')}`, production)),
      ),
      { seed: 30, numRuns: 500 },
    )
  })

  it('follows no redirect', async () => {
    const inside = await startInside((_request, response) => response.end('secret'))
    const outside = await startInside((_request, response) =>
      response.writeHead(302, { location: `http://localhost:${inside.port}/` }).end(),
    )
    const answer = await createGuardedFetch(development)(`http://localhost:${outside.port}/`)
    assert.equal(answer.status, 302)
    assert.equal(inside.calls(), 0)
  })

  const endless: RequestListener = (_request, response) => {
    const more = () => {
      if (response.destroyed) return
      response.write('x'.repeat(65_536))
      setImmediate(more)
    }
    more()
  }
  for (const [what, listener] of [
    ['a long one', (_request, response) => response.end('x'.repeat(1_048_577))],
    ['an endless one', endless],
    [
      'a short one that unpacks to a long one',
      (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(50_000_000))),
    ],
  ] as ReadonlyArray<readonly [string, RequestListener]>) {
    it(`reads no more than 1 MiB of an answer: ${what}`, async () => {
      const { port } = await startInside(listener)
      await assert.rejects(async () => (await createGuardedFetch(development)(`http://localhost:${port}/`)).text())
    })
  }

  it('reads an answer of just 1 MiB', async () => {
    const { port } = await startInside((_request, response) => response.end('x'.repeat(1_048_576)))
    assert.equal((await (await createGuardedFetch(development)(`http://localhost:${port}/`)).text()).length, 1_048_576)
  })

  for (const [what, listener] of [
    ['says nothing', () => undefined],
    [
      'drips',
      (_request, response) => {
        const drip = setInterval(() => response.write('x'), 500)
        response.on('close', () => clearInterval(drip))
      },
    ],
  ] as ReadonlyArray<readonly [string, RequestListener]>) {
    it(`waits no longer than ten seconds for a server that ${what}`, { timeout: 60_000 }, async () => {
      const { port } = await startInside(listener)
      const began = Date.now()
      await assert.rejects(async () => (await createGuardedFetch(development)(`http://localhost:${port}/`)).text())
      // Left to itself, `fetch` waits for five minutes.
      assert.ok(Date.now() - began < 25_000)
    })
  }
})
