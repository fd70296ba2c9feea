import assert from 'node:assert/strict'
import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { it } from 'node:test'
import express, { type ErrorRequestHandler } from 'express'
import { freePort } from '../../../server/test/support/free-port.ts'
import { getSession, getUser, portariaRoutes, requireUser } from '../../src/express.ts'
import { createPortaria } from '../../src/index.ts'
import { newVisitor } from '../visitor.ts'
import { describeAdapter, type StartApp } from './adapter.ts'

const caught: ErrorRequestHandler = (fault, _req, res, _next) => {
  res.status(500).send(`caught ${fault.message}`)
}

const startApp: StartApp = async (portaria, port) => {
  const app = express().set('strict routing', true).set('case sensitive routing', true)
  app.use(portariaRoutes(portaria))
  app.get('/private', requireUser(portaria), (req, res) => {
    res.send(`private of ${getUser(req).name}`)
  })
  app.get('/private/kept', requireUser(portaria), (_req, res) => {
    res.set('cache-control', 'max-age=60').end()
  })
  app.get('/open', async (req, res) => {
    res.json(await getSession(req, portaria))
  })
  app.post('/echo', express.json({ limit: '1mb' }), (req, res) => {
    res.send(JSON.stringify(req.body))
  })
  app.use(caught)
  const server = app.listen(port, 'localhost')
  await once(server, 'listening')
  return server
}

describeAdapter('Express', startApp)

/** With body parsers and cookies of its own in front, as apps that grow have them. */
const startGrown: StartApp = async (portaria, port) => {
  const app = express().set('strict routing', true).set('case sensitive routing', true)
  const keepBytes = (req: object, _res: object, rawBody: Buffer) => void Object.assign(req, { rawBody })
  app.use(express.json({ limit: '1mb', verify: keepBytes }), express.urlencoded())
  app.use((_req, res, next) => {
    if (_req.path === '/own-cookie') res.cookie('own', '1')
    next()
  })
  const inner = express.Router({ strict: true, caseSensitive: true })
  inner.use(portariaRoutes(portaria))
  inner.get('/private', requireUser(portaria), (req, res) => {
    res.send(`private of ${getUser(req).name}`)
  })
  inner.use('/private/kept', (_req, res, next) => {
    res.set('cache-control', 'max-age=60')
    next()
  })
  inner.get('/private/kept', requireUser(portaria), (_req, res) => void res.end())
  inner.get('/open', async (req, res) => {
    res.json(await getSession(req, portaria))
  })
  inner.post('/echo', (req, res) => {
    res.send(JSON.stringify(req.body))
  })
  app.use(inner, caught)
  const server = app.listen(port, 'localhost')
  await once(server, 'listening')
  return server
}

describeAdapter('Express behind body parsers', startGrown)

it('an app of Express that is mounted at a path signs in there, and keeps the cookies of others', async (test) => {
  const port = await freePort()
  const portaria = createPortaria({ url: 'http://localhost:1', appUrl: `http://localhost:${port}/shop` })
  const shop = express()
  shop.use((_req, res, next) => {
    res.cookie('own', '1')
    next()
  })
  shop.use(portariaRoutes(portaria))
  shop.get('/private', requireUser(portaria), (req, res) => {
    res.send(getUser(req).name)
  })
  shop.use(
    '/admin',
    express.Router().get('/reports', requireUser(portaria), (req, res) => {
      res.send(getUser(req).name)
    }),
  )
  const server = express().use('/shop', shop).listen(port, 'localhost')
  test.after(() => server.close())
  await once(server, 'listening')
  const start = await newVisitor(`http://localhost:${port}`).open('/shop/auth/sign-in')
  assert.equal(new URL(start.headers.location ?? '').searchParams.get('redirect_to'), `http://localhost:${port}/shop/auth/callback`)
  assert.deepEqual(
    start.setCookies.map((line) => line.replace(/_attempt.*/, '').split('=')[0]),
    ['own', 'portaria'],
  )
  const guarded = await newVisitor(`http://localhost:${port}`).open('/shop/private')
  assert.equal(guarded.headers.location, '/shop/auth/sign-in?return_to=%2Fshop%2Fprivate')
  const deeper = await newVisitor(`http://localhost:${port}`).open('/shop/admin/reports')
  assert.equal(deeper.headers.location, '/shop/auth/sign-in?return_to=%2Fshop%2Fadmin%2Freports')
})

it('getUser without requireUser throws, and answers nobody', () => {
  assert.throws(() => getUser({}), /no requireUser/)
})

it('a fault goes to next, once, and is no rejection, which Express 4 would not see', async () => {
  const portaria = createPortaria({ url: 'http://localhost:1', appUrl: 'http://localhost:2' })
  const broken = { ...portaria, handle: () => Promise.reject(new Error('planted')) }
  const faults: unknown[] = []
  const req = { url: '/', headers: {} }
  const res = new ServerResponse(new IncomingMessage(new Socket()))
  await portariaRoutes(broken)(req, res, (fault) => faults.push(fault))
  assert.deepEqual(faults, [new Error('planted')])
})
