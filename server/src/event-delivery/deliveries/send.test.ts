import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { createGuardedFetch } from '../../guarded-fetch/index.ts'
import { createSealer } from '../../kit/index.ts'
import { mintEndpointSecret, sealEndpointSecret } from '../endpoints/endpoint-secret.ts'
import { hasArrived, send } from './send.ts'

/** Sends an event to an app that does as it likes with the connection. Answers the attempt once the connection is closed. */
async function sendTo(behave: (socket: Socket) => void, { totalMs = 10_000 } = {}) {
  const closed = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    socket.on('error', () => {}).on('close', () => closed.resolve())
    socket.once('data', () => behave(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  const sealer = createSealer([Buffer.alloc(32, 7)])
  const secretSealed = sealEndpointSecret(mintEndpointSecret(), 'endpoint', sealer)
  const none = {
    productId: undefined,
    previousUntil: undefined,
    disabledAt: undefined,
    disabledReason: undefined,
    previousSealed: undefined,
  }
  const health = { readyAt: 1, failingSince: undefined, warnedAt: undefined, pausedUntil: undefined, createdAt: 1 }
  const guardedFetch = createGuardedFetch({ allowPrivate: [], isDevelopment: true, totalMs })
  const attempt = await send(
    { id: 'endpoint', url, types: [], description: '', secretSealed, ...none, ...health },
    { id: 'event', type: 'test.ping', occurredAt: 1, data: '{}' },
    { guardedFetch, sealer, now: Date.now },
  )
  await closed.promise
  server.close()
  return attempt
}

const OK = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
/** Writes it for as long as the other side takes it. */
const again = (socket: Socket, text: string, everyMs: number) => {
  const timer = setInterval(() => socket.write(text), everyMs)
  socket.on('close', () => clearInterval(timer))
}

describe('A delivery', () => {
  it('has arrived with its status: of an answer without an end 2 KB are read, and the connection is closed', async () => {
    let written = 0
    const attempt = await sendTo((socket) => {
      const more = () => {
        if (socket.destroyed) return
        written += 65_536
        socket.write(chunk('a'.repeat(65_536)), more)
      }
      socket.write(OK, more)
    })
    assert.deepEqual([attempt.status, attempt.answer, hasArrived(attempt)], [200, 'a'.repeat(2_048), true])
    assert.ok(written < 50_000_000, `${written} bytes were taken`)
  })

  it('waits a moment for the rest of an answer that stops half way, and closes the connection', async () => {
    const attempt = await sendTo((socket) => void socket.write(OK + chunk('recebido')))
    assert.deepEqual([attempt.status, attempt.answer], [200, 'recebido'])
  })

  it('waits a moment for the rest of an answer that comes a byte at a time', async () => {
    const attempt = await sendTo((socket) => {
      socket.write(OK)
      again(socket, chunk('a'), 20)
    })
    assert.equal(attempt.status, 200)
    assert.match(attempt.answer ?? '', /^a{1,200}$/)
  })

  it('has failed when the headers come a byte at a time and do not end in time', async () => {
    const attempt = await sendTo(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nx-slow: ')
        again(socket, 'a', 20)
      },
      { totalMs: 500 },
    )
    assert.deepEqual([attempt.status, attempt.answer, hasArrived(attempt)], [undefined, undefined, false])
    assert.equal(attempt.fault, 'no answer in 15 seconds')
  })

  it('has failed when the headers are longer than anybody needs', async () => {
    const attempt = await sendTo((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      again(socket, `x-more: ${'a'.repeat(60_000)}\r\n`, 1)
    })
    assert.equal(attempt.status, undefined)
    assert.ok(attempt.fault)
  })
})
