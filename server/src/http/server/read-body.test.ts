import assert from 'node:assert/strict'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { until } from '../../../test/support/until.ts'
import { createAdmission } from '../../rate-limits/index.ts'
import { createLogger, createMetrics, createResponses, createServer, securityHeaders } from '../index.ts'
import { createBodyBudget } from './body-budget.ts'

const HEADERS = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\n'

describe('Bodies on their way', () => {
  const logged = new PassThrough()
  const metrics = createMetrics()
  const sockets: Socket[] = []
  const gate = Promise.withResolvers<string>()
  let app: FastifyInstance
  let port = 0

  before(async () => {
    app = createServer({
      trustProxy: undefined,
      admission: createAdmission(),
      responses: createResponses(securityHeaders({ https: false }), { https: false }),
      logger: createLogger('warn', logged),
      metrics,
      findImpersonation: async () => undefined,
      bodyBytes: 2_000_000,
    })
    app.post('/', async ({ body }) => String(String(body).length))
    app.post('/slow', async () => gate.promise)
    await app.listen({ port: 0, host: '127.0.0.1' })
    port = (app.server.address() as AddressInfo).port
  })
  after(async () => {
    for (const socket of sockets) socket.destroy()
    await app.close()
  })

  async function send(text: string) {
    const socket = connect({ port, host: '127.0.0.1' })
    sockets.push(socket)
    let [received, isClosed] = ['', false]
    socket.on('data', (chunk) => (received += chunk))
    socket.on('error', () => {})
    socket.on('close', () => (isClosed = true))
    await new Promise((resolve) => socket.once('connect', resolve))
    socket.write(text)
    return {
      socket,
      status: () => /^HTTP\/1.1 (\d+)/.exec(received)?.[1],
      head: () => received,
      body: () => received.split('\r\n\r\n')[1],
      isClosed: () => isClosed,
    }
  }
  const half = (bytes: number) => send(`${HEADERS}content-length: 65000\r\n\r\n${'x'.repeat(bytes)}`)
  const chunked = (bytes: number) => send(`${HEADERS}transfer-encoding: chunked\r\n\r\nfde8\r\n${'x'.repeat(bytes)}`)
  const refused = async () => Number(/^portaria_bodies_refused_total (\d+)$/m.exec((await metrics.read()).text)?.[1])

  it('are ended with 503 when there is too much of them, those first that hold much for long, and others arrive', async () => {
    const held = await Promise.all([...Array(40)].flatMap(() => [half(60_000), chunked(60_000)]))
    const small = await send(`${HEADERS}content-length: 1000\r\n\r\n${'x'.repeat(300)}`)
    await until(async () => (await refused()) > 0)
    const ended = () => held.filter(({ status }) => status() === '503')
    await until(async () => ended().length === (await refused()))
    await until(() => ended().every(({ isClosed, head }) => isClosed() && head().includes('retry-after: 2')))
    assert.ok(ended().length < held.length, 'all were ended')
    await sleep(1_000)
    const late = await half(60_000)
    small.socket.write('x'.repeat(700))
    late.socket.write('x'.repeat(5_000))
    await until(() => small.status() === '200' && late.status() === '200')
    assert.deepEqual([small.body(), late.body()], ['1000', '65000'])
    assert.match(String(logged.read()), /requests are ended/)
  })

  it('are whole where they come byte by byte, with their letters in pieces', async () => {
    const { socket, status, body } = await send(`${HEADERS}transfer-encoding: chunked\r\n\r\n`)
    const letters = Buffer.from('ção ✓ '.repeat(500))
    for (const byte of letters) socket.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]))
    socket.write('0\r\n\r\n')
    await until(() => status() === '200')
    assert.equal(body(), String('ção ✓ '.repeat(500).length))
  })

  it('hold little more than what has come, in however many pieces', () => {
    const budget = createBodyBudget({ most: 1_000_000, onEnded: () => assert.fail('it was ended') })
    const one = { buffer: Buffer.alloc(0), length: 0, startedAt: performance.now(), end: () => {} }
    for (let n = 0; n < 60_000; n++) budget.take(one, Buffer.of(n % 256))
    assert.equal(one.length, 60_000)
    assert.ok(one.buffer.length <= 120_000, `${one.buffer.length} bytes`)
    assert.deepEqual([one.buffer[0], one.buffer[257], one.buffer[59_999]], [0, 1, 59_999 % 256])
  })

  it('are refused beyond the limit of their route, with a length and without', async () => {
    const announced = await send(`${HEADERS}content-length: 70000\r\n\r\n`)
    const pieces = await send(`${HEADERS}transfer-encoding: chunked\r\n\r\n11170\r\n${'x'.repeat(70_000)}\r\n0\r\n\r\n`)
    await until(() => announced.status() === '413' && pieces.status() === '413')
  })

  it('count nothing once they have come, or their request was answered, however much a connection has sent', async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await until(() => new Promise((resolve) => app.server.getConnections((_fault, count) => resolve(count === 0))))
    const before = await refused()
    const { socket, status } = await send('')
    for (let request = 0; request < 60; request++) socket.write(`${HEADERS}content-length: 60000\r\n\r\n${'x'.repeat(60_000)}`)
    const tooLong = await Promise.all([...Array(60)].map(() => send(`${HEADERS}content-length: 9000000\r\n\r\n${'x'.repeat(60_000)}`)))
    await until(() => status() === '200' && tooLong.every((sent) => sent.status() === '413'))
    const slow = HEADERS.replace('/', '/slow')
    const inWork = await Promise.all([...Array(60)].map(() => send(`${slow}content-length: 60000\r\n\r\n${'x'.repeat(60_000)}`)))
    const last = await half(300)
    last.socket.write('x'.repeat(64_700))
    await until(() => last.status() === '200')
    gate.resolve('done')
    await until(() => inWork.every((sent) => sent.status() === '200'))
    assert.equal(await refused(), before)
  })
})
