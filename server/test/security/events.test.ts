import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { parseEndpointUrl } from '../../src/app-events/endpoint-url.ts'
import type { SealedEndpoint } from '../../src/app-events/index.ts'
import { hasArrived, send } from '../../src/event-delivery/deliveries/send.ts'
import { mintEndpointSecret, sealEndpointSecret } from '../../src/event-delivery/endpoints/endpoint-secret.ts'
import { createGuardedFetch } from '../../src/guarded-fetch/index.ts'
import { createSealer } from '../../src/kit/index.ts'

const sealer = createSealer([Buffer.alloc(32, 1)])
const development = { allowPrivate: [], isDevelopment: true, totalMs: 2_000 }

function endpointAt(url: string): SealedEndpoint {
  const unset = { previousSealed: undefined, previousUntil: undefined, readyAt: 1, disabledAt: undefined, disabledReason: undefined }
  const health = { failingSince: undefined, warnedAt: undefined, pausedUntil: undefined }
  const secretSealed = sealEndpointSecret(mintEndpointSecret(), 'e', sealer)
  return { id: 'e', productId: undefined, url, types: [], description: '', createdAt: 1, secretSealed, ...unset, ...health }
}

async function start(listener: RequestListener): Promise<{ url: string; calls: () => number }> {
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
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/`, calls: () => calls }
}

const message = { id: 'm', type: 'access.granted', occurredAt: 1, data: '{}' }
const deliver = (url: string, options = development) =>
  send(endpointAt(url), message, { guardedFetch: createGuardedFetch(options), sealer, now: Date.now })

describe('An endpoint that means us ill', () => {
  it('never leads a delivery into our network, whatever its name resolves to when it is called', async () => {
    const inside = await start((_request, response) => response.end())
    const attempt = await deliver(inside.url.replace('http:', 'https:'), { ...development, isDevelopment: false })
    assert.match(attempt.fault ?? '', /leads to a private address/)
    assert.match((await deliver('https://169.254.169.254/latest', { ...development, isDevelopment: false })).fault ?? '', /private address/)
    assert.equal(inside.calls(), 0)
  })

  it('redirects nobody: that is a failure, and the other address hears nothing', async () => {
    const other = await start((_request, response) => response.end())
    const first = await start((_request, response) => response.writeHead(307, { location: other.url }).end())
    const attempt = await deliver(first.url)
    assert.deepEqual([attempt.status, hasArrived(attempt)], [307, false])
    assert.equal(other.calls(), 0)
  })

  it('that answers 10 MB is read for its first 2 KB', async () => {
    const large = await start((_request, response) => response.end('x'.repeat(10_000_000)))
    const attempt = await deliver(large.url)
    assert.deepEqual([attempt.status, attempt.answer], [200, 'x'.repeat(2_048)])
  })

  it('that drips its answer is not waited for, since its status has come', async () => {
    const drips = await start((_request, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('.'), 100)
      response.on('close', () => clearInterval(timer))
    })
    const attempt = await deliver(drips.url)
    assert.equal(hasArrived(attempt), true)
    assert.ok((attempt.answer?.length ?? 0) < 20)
  })

  it('that never answers is given up', async () => {
    const hangs = await start(() => {})
    const attempt = await deliver(hangs.url)
    assert.equal(attempt.status, undefined)
    assert.match(attempt.fault ?? '', /no answer|timeout/i)
  })

  it('that answers with a NUL or half a character leaves nothing that a database refuses', async () => {
    const odd = await start((_request, response) => response.end(Buffer.from([0, 0xff, 0x41])))
    const { answer = '' } = await deliver(odd.url)
    assert.ok(answer.isWellFormed() && !answer.includes('\0') && answer.endsWith('A'))
  })

  it('has no address but https, without a name, a password or a fragment; in development http here', () => {
    const production = { isDevelopment: false }
    for (const url of ['http://app.example.com/', 'https://me:x@app.example.com/', 'https://app.example.com/#a', 'file:///etc/passwd', 'x'])
      assert.equal(parseEndpointUrl(url, production), undefined, url)
    assert.equal(parseEndpointUrl('https://app.example.com/hooks?a=1', production), 'https://app.example.com/hooks?a=1')
    assert.equal(parseEndpointUrl('http://localhost:4001/hooks', production), undefined)
    assert.equal(parseEndpointUrl('http://localhost:4001/hooks', { isDevelopment: true }), 'http://localhost:4001/hooks')
    assert.equal(parseEndpointUrl('http://app.example.com/', { isDevelopment: true }), undefined)
  })
})
