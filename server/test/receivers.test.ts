import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'

/** The receivers of docs/events.md are taken from the page and run, so what readers copy verifies and refuses as the page says. */
const page = await readFile(new URL('../../docs/events.md', import.meta.url), 'utf8')

const receivers = [
  { language: 'TypeScript', fence: 'ts', file: 'receive.mts', program: process.execPath },
  { language: 'Python', fence: 'python', file: 'receive.py', program: 'python3' },
]

const secret = `whsec_${randomBytes(32).toString('base64')}`
const otherSecret = `whsec_${randomBytes(32).toString('base64')}`

type Delivery = {
  id?: string
  type?: string
  data?: Record<string, unknown>
  secrets?: string[]
  /** How far the time that is signed lies from now. */
  seconds?: number
  /** Sends the body in so many pieces, without a length. */
  pieces?: number
  /** Changes the text on its way. */
  change?: (text: string) => string
}

function codeOf(fence: string): string {
  const code = page.split(`\`\`\`${fence}\n`)[1]?.split('```')[0]
  assert(code, `docs/events.md has no receiver in ${fence}`)
  return code
}

function signature(key: string, signed: string): string {
  return `v1,${createHmac('sha256', Buffer.from(key.slice('whsec_'.length), 'base64'))
    .update(signed)
    .digest('base64')}`
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  assert(address && typeof address === 'object')
  return address.port
}

async function deliver(url: string, delivery: Delivery): Promise<number | 'closed'> {
  const { id = randomBytes(8).toString('hex'), type = 'access.granted', secrets = [secret], seconds = 0, pieces, change } = delivery
  const data = { sequence: 1, user_id: 'ana', active: true, reason: 'paid', ...delivery.data }
  const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data: { ...data, name: 'José 🎉' } })
  const at = String(Math.floor(Date.now() / 1000) + seconds)
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': at,
    'webhook-signature': secrets.map((one) => signature(one, `${id}.${at}.${body}`)).join(' '),
  }
  const sent = Buffer.from(change ? change(body) : body)
  return pieces === undefined
    ? (await fetch(url, { method: 'POST', headers, body: sent })).status
    : sendInPieces(url, headers, sent, pieces)
}

/** `closed`: a receiver that reads no more closes the connection, and the sender may see that before the answer. */
async function sendInPieces(url: string, headers: Record<string, string>, body: Buffer, pieces: number): Promise<number | 'closed'> {
  const sending = request(url, { method: 'POST', headers: { ...headers, 'transfer-encoding': 'chunked' } })
  const answered = once(sending, 'response').catch(() => [])
  sending.on('error', () => {})
  const size = Math.ceil(body.length / pieces)
  for (let at = 0; at < body.length; at += size) {
    sending.write(body.subarray(at, at + size))
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  sending.end()
  const [response] = await answered
  response?.resume()
  return response?.statusCode ?? 'closed'
}

/** The beginning of the answer to a body that goes on for ever, or `closed`. */
async function answerToEndless(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write('POST /hooks/portaria HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n')
  const piece = setInterval(() => socket.write(`400\r\n${'x'.repeat(1024)}\r\n`), 1)
  const [answer] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => ['closed'])]).catch(() => ['closed'])
  clearInterval(piece)
  socket.destroy()
  return String(answer)
}

/** Answers once the program takes connections, or fails with what it has said. */
async function untilListening(url: string, child: ChildProcess): Promise<void> {
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += chunk
  })
  for (;;) {
    assert.equal(child.exitCode, null, `the receiver has ended: ${said}`)
    const answer = await fetch(url, { method: 'POST', body: '{}' }).catch(() => undefined)
    if (answer) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Sends the beginning of a delivery, and closes the connection. */
async function hangUpWithin(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write('POST /hooks/portaria HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"type":"a')
  await new Promise((resolve) => setTimeout(resolve, 50))
  socket.destroy()
  await new Promise((resolve) => setTimeout(resolve, 100))
}

for (const { language, fence, file, program } of receivers) {
  test(`the receiver in ${language} does not start without a secret, with which anybody could sign`, async () => {
    if (spawnSync(program, ['--version']).error) return console.log(`not run, since ${program} is not installed: ${file}`)
    const folder = await mkdtemp(join(tmpdir(), 'portaria-receiver-'))
    await writeFile(join(folder, file), codeOf(fence))
    const { PORTARIA_EVENTS_SECRET: _own, ...without } = process.env
    for (const given of [{}, { PORTARIA_EVENTS_SECRET: '' }, { PORTARIA_EVENTS_SECRET: 'whsec_' }]) {
      const env = { ...without, ...given, PORT: String(await freePort()) }
      const ended = spawnSync(program, [join(folder, file)], { env, encoding: 'utf8', timeout: 20_000, killSignal: 'SIGKILL' })
      assert.equal(ended.status, 1, `${JSON.stringify(given)}: ${ended.stderr}`)
      assert.match(ended.stderr, /PORTARIA_EVENTS_SECRET/)
    }
    await rm(folder, { recursive: true })
  })

  test(`the receiver in ${language} takes what is signed, once and in order, and refuses everything else`, async () => {
    if (spawnSync(program, ['--version']).error) return console.log(`not run, since ${program} is not installed: ${file}`)
    const folder = await mkdtemp(join(tmpdir(), 'portaria-receiver-'))
    await writeFile(join(folder, file), codeOf(fence))
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/hooks/portaria`
    const env = { ...process.env, PORT: String(port), PORTARIA_EVENTS_SECRET: secret, NODE_NO_WARNINGS: '1' }
    const child = spawn(program, [join(folder, file)], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const printed: string[] = []
    const lines = createInterface({ input: child.stdout }).on('line', (line) => printed.push(line))
    try {
      await untilListening(url, child)
      assert.equal(await deliver(url, { id: 'a', data: { sequence: 10 } }), 204)
      assert.equal(await deliver(url, { id: 'a', data: { sequence: 10 } }), 204, 'the same event again')
      assert.equal(await deliver(url, { data: { sequence: 9, reason: 'old' } }), 204, 'an older event')
      assert.equal(await deliver(url, { secrets: [otherSecret, secret], data: { sequence: 11, reason: 'rotated' } }), 204, 'two signatures')
      assert.equal(await deliver(url, { type: 'test.ping', data: { sequence: 12 } }), 204, 'a type that it does not know')
      assert.equal(await deliver(url, { secrets: [otherSecret], data: { sequence: 20 } }), 401, 'another secret')
      assert.equal(await deliver(url, { change: (text) => text.replace('true', 'false'), data: { sequence: 20 } }), 401, 'another body')
      assert.equal(await deliver(url, { seconds: -400, data: { sequence: 20 } }), 401, 'signed too long ago')
      assert.equal(await deliver(url, { seconds: 400, data: { sequence: 20 } }), 401, 'signed in the future')
      assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 401, 'no signature')
      assert.equal(await deliver(url, { pieces: 3, data: { sequence: 12, reason: 'pieces' } }), 204, 'without a length, in pieces')
      assert.equal(await deliver(url, { pieces: 3, secrets: [otherSecret], data: { sequence: 20 } }), 401, 'another secret, in pieces')
      await hangUpWithin(port)
      const large = { sequence: 20, reason: 'x'.repeat(30_000) }
      for (const pieces of [1, 3, 30]) {
        const answer = await deliver(url, { pieces, data: large })
        assert.ok(answer === 413 || answer === 'closed', `too much, in ${pieces} pieces: ${answer}`)
      }
      assert.match(await answerToEndless(port), /^(HTTP\/1\.[01] 413 |closed)/)
      assert.equal(await deliver(url, { data: { sequence: 20, reason: 'x'.repeat(30_000) } }), 413, 'more than an event has')
      assert.equal(await deliver(url, { type: 'access.revoked', data: { sequence: 13, active: false, reason: 'refunded' } }), 204)
    } finally {
      child.kill()
      await once(lines, 'close')
      await rm(folder, { recursive: true })
    }
    const what = printed.map((line) =>
      line
        .split(' ')
        .filter((part) => !/^(true|false)$/i.test(part))
        .join(' '),
    )
    assert.deepEqual(what, [
      'access.granted ana paid',
      'access.granted ana rotated',
      'access.granted ana pieces',
      'access.revoked ana refunded',
    ])
  })
}
