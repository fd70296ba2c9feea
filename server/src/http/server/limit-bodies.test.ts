import assert from 'node:assert/strict'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { until } from '../../../test/support/until.ts'
import { createAdmission } from '../../rate-limits/index.ts'
import { createLogger, createMetrics, createResponses, createServer, securityHeaders } from '../index.ts'

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
      bodyBytes: 500_000,
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
      body: () => received.split('\r\n\r\n')[1],
      isClosed: () => isClosed,
    }
  }
  const half = (bytes: number) => send(`${HEADERS}content-length: 65000\r\n\r\n${'x'.repeat(bytes)}`)
  const chunked = (bytes: number) => send(`${HEADERS}transfer-encoding: chunked\r\n\r\nfde8\r\n${'x'.repeat(bytes)}`)
  const refused = async () => Number(/^portaria_bodies_refused_total (\d+)$/m.exec((await metrics.read()).text)?.[1])

  it('are ended from the largest on, with 503, when there is too much of them, and the small ones arrive', async () => {
    const small = await half(300)
    const fits = await Promise.all([...Array(3)].flatMap(() => [half(60_000), chunked(60_000)]))
    await sleep(500)
    assert.deepEqual([await refused(), fits.some(({ isClosed }) => isClosed())], [0, false])
    const beyond = await Promise.all([half(64_000), half(64_000), chunked(64_000)])
    await until(() => beyond.filter(({ status }) => status() === '503').length >= 1)
    await until(async () => (await refused()) >= 1)
    // 360,300 of those before, and 192,000: one of the largest is enough.
    await sleep(500)
    assert.equal(await refused(), 1)
    assert.ok(!fits.some(({ status }) => status() === '503'))
    await until(() => beyond.some(({ isClosed }) => isClosed()))
    small.socket.write('x'.repeat(64_700))
    await until(() => small.status() === '200')
    assert.equal(small.body(), '65000')
    assert.match(String(logged.read()), /requests are ended/)
  })

  it('count nothing once they have come, or their request was answered, however much a connection has sent', async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await sleep(300)
    const before = await refused()
    const { socket, status } = await send('')
    for (let request = 0; request < 20; request++) socket.write(`${HEADERS}content-length: 60000\r\n\r\n${'x'.repeat(60_000)}`)
    const tooLong = await Promise.all([...Array(20)].map(() => send(`${HEADERS}content-length: 9000000\r\n\r\n${'x'.repeat(60_000)}`)))
    await until(() => status() === '200' && tooLong.every((sent) => sent.status() === '413'))
    const slow = HEADERS.replace('/', '/slow')
    const inWork = await Promise.all([...Array(20)].map(() => send(`${slow}content-length: 60000\r\n\r\n${'x'.repeat(60_000)}`)))
    await half(300)
    await sleep(500)
    assert.equal(await refused(), before)
    gate.resolve('done')
    await until(() => inWork.every((sent) => sent.status() === '200'))
  })
})
