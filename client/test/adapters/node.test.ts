import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { createPortaria } from '../../src/index.ts'
import { toNodeHandler, toRequest } from '../../src/node.ts'
import { newVisitor } from '../visitor.ts'
import { describeAdapter, type StartApp } from './adapter.ts'

const startApp: StartApp = async (portaria, port) => {
  const answer = toNodeHandler(portaria, { onFault: () => {} })
  const serve = async (req: IncomingMessage, res: ServerResponse) => {
    try {
      if (await answer(req, res)) return
      const path = req.url?.split('?')[0]
      if (req.method === 'POST' && path === '/echo') return void req.pipe(res)
      if (path === '/open') return void res.end(JSON.stringify(await portaria.session(toRequest(req, portaria))))
      if (path !== '/private' && path !== '/private/kept') return void res.writeHead(404).end()
      const { user, response } = await portaria.requireUser(toRequest(req, portaria))
      res.setHeader('cache-control', path === '/private' ? 'private, no-store' : 'max-age=60')
      if (user) return void res.end(`private of ${user.name}`)
      for (const [name, value] of response.headers) res.setHeader(name, value)
      res.writeHead(response.status).end(await response.text())
    } catch (fault) {
      res.writeHead(500).end(`caught ${fault instanceof Error ? fault.message : ''}`)
    }
  }
  const server = createServer((req, res) => void serve(req, res)).listen(port, 'localhost')
  await once(server, 'listening')
  return server
}

describeAdapter('node:http', startApp, '{"error":"not handled"}')

describe('toRequest', () => {
  const place = { origin: 'https://app.example' }
  const urlOf = (url: string) => toRequest({ url, headers: { host: 'evil.example' } }, place).url

  it('builds the address from the path and the app itself, however the path looks', () => {
    assert.equal(urlOf('/a?b=1'), 'https://app.example/a?b=1')
    assert.equal(urlOf('//evil.example/a'), 'https://app.example//evil.example/a')
    assert.equal(urlOf('/\\evil.example'), 'https://app.example//evil.example')
    assert.equal(urlOf('@evil.example/'), 'https://app.example/')
    assert.equal(urlOf('.evil.example/'), 'https://app.example/')
    assert.equal(urlOf('http://evil.example/a?b'), 'https://app.example/a?b')
    assert.equal(urlOf('http://evil.example//evil.example/a'), 'https://app.example//evil.example/a')
    assert.equal(urlOf('*'), 'https://app.example/')
  })

  it('prefers the address from before an app was mounted', () => {
    assert.equal(toRequest({ url: '/a', originalUrl: '/shop/a', headers: {} }, place).url, 'https://app.example/shop/a')
  })

  it('takes the headers, several of a name as well, and none that HTTP/2 only pretends', () => {
    const { headers } = toRequest({ headers: { ':path': '/', a: '1', b: ['1', '2'], c: undefined } }, place)
    assert.deepEqual(
      [...headers],
      [
        ['a', '1'],
        ['b', '1, 2'],
      ],
    )
  })

  it('takes every method, even those that fetch has no words for', () => {
    assert.equal(toRequest({ method: 'POST', headers: {} }, place).method, 'POST')
    assert.equal(toRequest({ method: 'TRACE', headers: {} }, place).method, 'OPTIONS')
    assert.equal(toRequest({ headers: {} }, place).method, 'GET')
  })
})

it('an answer that somebody else has given meanwhile stays, and is no fault', async (test) => {
  const portaria = createPortaria({ url: 'http://localhost:1', appUrl: 'http://localhost:2' })
  let answered: Promise<boolean> | undefined
  const server = createServer((req, res) => {
    answered = toNodeHandler(portaria)(req, res)
    res.end('too slow')
  }).listen(0, 'localhost')
  test.after(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  const { text } = await newVisitor(`http://localhost:${typeof address === 'object' && address?.port}`).open('/auth/sign-in')
  assert.equal(text, 'too slow')
  assert.equal(await answered, true)
})

it('a fault of the app is answered 500 and reported, and is no rejection, which would end the process', async (test) => {
  const portaria = createPortaria({ url: 'http://localhost:1', appUrl: 'http://localhost:2' })
  const faults: unknown[] = []
  const answer = toNodeHandler(
    { ...portaria, handle: () => Promise.reject(new Error('planted')) },
    { onFault: (fault) => faults.push(fault) },
  )
  const answers: Promise<boolean>[] = []
  const server = createServer((req, res) => {
    if (req.url === '/late') res.writeHead(200).end('somebody else has answered')
    answers.push(answer(req, res))
  }).listen(0, 'localhost')
  test.after(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  const visitor = newVisitor(`http://localhost:${typeof address === 'object' && address?.port}`)
  const { status, text, headers } = await visitor.send('POST', '/auth/backchannel-logout')
  assert.deepEqual([status, text, headers['cache-control']], [500, '{"error":"not handled"}', 'no-store'])
  assert.equal((await visitor.open('/late')).text, 'somebody else has answered')
  assert.deepEqual(await Promise.all(answers), [true, true])
  assert.deepEqual(faults, [new Error('planted'), new Error('planted')])
})

const bridges = {
  'Readable.toWeb': (req) => Readable.toWeb(req) as unknown as ReadableStream, // Node's type of a stream is another than the browser's
  'a stream that ends the request when it is cancelled, as of SvelteKit': (req) => {
    const parts = req[Symbol.asyncIterator]()
    return new ReadableStream({
      async pull(controller) {
        const { done, value } = await parts.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => void req.destroy(reason),
    })
  },
} satisfies Record<string, (req: IncomingMessage) => ReadableStream>

for (const [name, bodyOf] of Object.entries(bridges))
  it(`a form that is too long is answered 400 before the connection closes, through ${name}`, async (test) => {
    const portaria = createPortaria({ url: 'http://localhost:1', appUrl: 'http://localhost:2' })
    const serve = async (req: IncomingMessage, res: ServerResponse) => {
      const request = new Request(`http://localhost:2${req.url}`, { method: 'POST', body: bodyOf(req), ...{ duplex: 'half' } })
      const answer = await portaria.handle(request)
      res.writeHead(answer?.status ?? 404, Object.fromEntries(answer?.headers ?? [])).end()
    }
    const server = createServer((req, res) => void serve(req, res)).listen(0, 'localhost')
    test.after(() => server.close())
    await once(server, 'listening')
    const address = server.address()
    const visitor = newVisitor(`http://localhost:${typeof address === 'object' && address?.port}`)
    const { status, headers } = await visitor.send('POST', '/auth/backchannel-logout', { body: `logout_token=${'a'.repeat(2_000_000)}` })
    assert.deepEqual([status, headers.connection], [400, 'close'])
  })
