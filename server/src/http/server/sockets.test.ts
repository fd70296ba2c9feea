import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { createAdmission } from '../../rate-limits/index.ts'
import { createLogger, createMetrics, createMetricsServer, createResponses, createServer, securityHeaders } from '../index.ts'
import type { Timeouts } from './sockets.ts'

const TIMEOUTS = { requestMs: 400, lookEachMs: 100, keptMs: 600, stillMs: 800, answerMs: 1_500, lingerMs: 200 }
const HOW_MANY = 20
/** No threshold of a test: all of them are over long before, on however slow a machine. */
const LATEST_MS = 60_000
const BIG = 'x'.repeat(20_000_000)

async function listen(timeouts: Timeouts): Promise<{ app: FastifyInstance; port: number }> {
  const logger = createLogger('error', new PassThrough())
  const responses = createResponses(securityHeaders({ https: false }), { https: false })
  const metrics = createMetrics()
  const app = createServer({
    trustProxy: undefined,
    admission: createAdmission(),
    responses,
    logger,
    metrics,
    findImpersonation: async () => undefined,
    timeouts,
  })
  app.get('/', async () => 'here')
  app.get('/big', async () => BIG)
  app.post('/', async () => 'taken')
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, port: (app.server.address() as AddressInfo).port }
}

describe('A connection whose peer stops', () => {
  let app: FastifyInstance
  let port = 0
  /** Waits for a whole request, however slowly the machine reads it. */
  let patient: FastifyInstance
  let patientPort = 0

  before(async () => {
    ;({ app, port } = await listen(TIMEOUTS))
    ;({ app: patient, port: patientPort } = await listen({ ...TIMEOUTS, requestMs: LATEST_MS }))
  })
  after(() => Promise.all([app.close(), patient.close()]))

  /** Connections that send this and then nothing, never close, and read only if they are asked to. */
  async function open(
    sent: string,
    { reads, at = port }: { reads: boolean; at?: number },
  ): Promise<{ sockets: Socket[]; received: () => string[] }> {
    const received: string[] = Array.from({ length: HOW_MANY }, () => '')
    const sockets = await Promise.all(
      Array.from({ length: HOW_MANY }, async (_, n) => {
        const socket = connect({ port: at, host: '127.0.0.1', allowHalfOpen: true })
        socket.on('error', () => {})
        if (reads) socket.on('data', (chunk) => (received[n] = `${received[n]}${chunk}`))
        else socket.pause()
        await new Promise((resolve) => socket.once('connect', resolve))
        socket.write(sent)
        return socket
      }),
    )
    return { sockets, received: () => received }
  }

  const countOf = ({ server }: FastifyInstance) =>
    new Promise<number>((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))))
  const countOpen = async () => (await countOf(app)) + (await countOf(patient))
  const countDescriptors = () => readdirSync('/proc/self/fd').length

  /** Waits until the service holds none of the connections any more. */
  async function allClosed(): Promise<boolean> {
    for (const until = performance.now() + LATEST_MS; performance.now() < until; await sleep(50)) if ((await countOpen()) === 0) return true
    return false
  }

  const post = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\n'
  const halves: Record<string, { sent: string; status?: number; reads?: false }> = {
    'that sends nothing': { sent: '' },
    'with half a line': { sent: 'GET / HT', status: 408 },
    'with half its headers': { sent: 'GET / HTTP/1.1\r\nhost: x\r\nx-a: b', status: 408 },
    'with half a body': { sent: `${post}content-length: 100\r\n\r\nabc`, status: 408 },
    'with half a chunk': { sent: `${post}transfer-encoding: chunked\r\n\r\n40\r\nabc`, status: 408 },
    'that waits for leave to go on': { sent: `${post}expect: 100-continue\r\ncontent-length: 100\r\n\r\n` },
    'that expects something else': { sent: `${post}expect: miracles\r\ncontent-length: 100\r\n\r\n`, status: 417 },
    'that wants a tunnel': { sent: 'CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n', status: 405 },
    'that wants another protocol': { sent: 'GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n', status: 200 },
    'that is no HTTP': { sent: '\x16\x03\x01\x02\x00\x01\x00', status: 400 },
    'with headers that never end': { sent: `GET / HTTP/1.1\r\nx: ${'a'.repeat(20_000)}`, status: 431 },
    'with a body that nobody wants': { sent: 'POST /nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\nabc' },
    'with a body that is too long': { sent: `${post}content-length: 10000000\r\n\r\nabc`, status: 413 },
    'that is kept and not used': { sent: 'GET / HTTP/1.1\r\nhost: x\r\n\r\n', status: 200 },
    'that asked with HEAD': { sent: 'HEAD /big HTTP/1.1\r\nhost: x\r\n\r\n', status: 200 },
    'that takes no answer': { sent: 'GET /big HTTP/1.1\r\nhost: x\r\n\r\n', reads: false },
    'that is refused and takes no answer': { sent: `${'x'.repeat(100_000)}`, reads: false },
  }
  for (const [name, { sent, status, reads = true }] of Object.entries(halves))
    it(`W4: is closed and gives its descriptor back: one ${name}`, async () => {
      const before = countDescriptors()
      const isWhole = status !== undefined && status !== 408
      const { sockets, received } = await open(sent, { reads, ...(isWhole && { at: patientPort }) })
      assert.ok(await allClosed(), `${await countOpen()} of ${HOW_MANY} connections are still held`)
      if (status !== undefined) for (const answer of received()) assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `))
      for (const socket of sockets) socket.destroy()
      for (const until = performance.now() + LATEST_MS; countDescriptors() > before && performance.now() < until; ) await sleep(50)
      assert.ok(countDescriptors() <= before, 'descriptors are held')
    })

  it('W4: is closed where an answer is read, but a little at a time for ever', async () => {
    const { sockets } = await open('GET /big HTTP/1.1\r\nhost: x\r\n\r\n', { reads: false })
    const sip = setInterval(() => {
      for (const socket of sockets) socket.read(1_000)
    }, 50)
    try {
      assert.ok(await allClosed(), `${await countOpen()} of ${HOW_MANY} connections are still held`)
    } finally {
      clearInterval(sip)
      for (const socket of sockets) socket.destroy()
    }
  })

  it('W4: is closed once its peer has stopped reading, long before the time for a whole answer', async () => {
    const slow = await listen({ ...TIMEOUTS, answerMs: 600_000 })
    const socket = connect({ port: slow.port, host: '127.0.0.1', allowHalfOpen: true }).pause()
    try {
      const [held] = await once(slow.app.server, 'connection', { signal: AbortSignal.timeout(LATEST_MS) })
      socket.write('GET /big HTTP/1.1\r\nhost: x\r\n\r\n')
      await once(held, 'close', { signal: AbortSignal.timeout(LATEST_MS) })
    } finally {
      socket.destroy()
      slow.app.server.closeAllConnections()
      await slow.app.close()
    }
  })

  it('W4: is closed at the port of the metrics too, where it takes no answer', async () => {
    const metrics = createMetrics()
    metrics.gauge('big', BIG, 'sum', () => 1)
    const server = createMetricsServer(metrics, TIMEOUTS)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true }).pause()
    try {
      const [held] = await once(server, 'connection', { signal: AbortSignal.timeout(LATEST_MS) })
      socket.write('GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n')
      await once(held, 'close', { signal: AbortSignal.timeout(LATEST_MS) })
    } finally {
      socket.destroy()
      server.closeAllConnections()
      server.close()
    }
  })

  it('W4: is not closed where its peer takes a large answer in time, or asks again on it', async () => {
    const slow = await listen({ ...TIMEOUTS, stillMs: LATEST_MS, answerMs: LATEST_MS })
    const base = `http://127.0.0.1:${slow.port}`
    try {
      for (let n = 0; n < 3; n++) assert.equal((await (await fetch(`${base}/big`)).text()).length, BIG.length)
      assert.equal(await (await fetch(base)).text(), 'here')
    } finally {
      slow.app.server.closeAllConnections()
      await slow.app.close()
    }
  })

  it('W4: leaves room for everybody else', async () => {
    const { sockets } = await open('GET / HTTP/1.1\r\nhost: x\r\nx-a: b', { reads: true })
    assert.equal(
      await (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: 'abc', headers: { 'content-type': 'text/plain' } })).text(),
      'taken',
    )
    assert.ok(await allClosed())
    for (const socket of sockets) socket.destroy()
  })
})
