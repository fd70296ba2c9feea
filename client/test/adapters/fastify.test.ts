import assert from 'node:assert/strict'
import { it } from 'node:test'
import fastify from 'fastify'
import { freePort } from '../../../server/test/support/free-port.ts'
import { getSession, getUser, portariaRoutes, requireUser } from '../../src/fastify.ts'
import { createPortaria } from '../../src/index.ts'
import { ANA, portariaOf } from '../ana.ts'
import { newVisitor } from '../visitor.ts'
import { describeAdapter } from './adapter.ts'

describeAdapter('Fastify', async (portaria, port) => {
  const app = fastify()
  app.register(portariaRoutes(portaria))
  app.get('/private', { preHandler: requireUser(portaria) }, async (request) => `private of ${getUser(request).name}`)
  app.get('/private/kept', { preHandler: requireUser(portaria) }, async (_request, reply) => {
    reply.header('cache-control', 'max-age=60')
    return ''
  })
  app.get('/open', (request) => getSession(request, portaria))
  app.post('/echo', async (request) => JSON.stringify(request.body))
  app.setErrorHandler<Error>(async (fault, _request, reply) => reply.code(500).send(`caught ${fault.message}`))
  await app.listen({ port, host: 'localhost' })
  return app
})

it('a guard of Fastify leaves the cache-control that an earlier hook has set', async (test) => {
  const app = fastify()
  test.after(() => app.close())
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'max-age=60'))
  app.get('/', { preHandler: requireUser(portariaOf(ANA)) }, async (request) => getUser(request).name)
  const { headers, body } = await app.inject('/')
  assert.deepEqual([headers['cache-control'], body], ['max-age=60', ANA.name])
})

it('an app of Fastify keeps the cookies and the hooks of others, and comes before their catch-all', async (test) => {
  const port = await freePort()
  const app = fastify()
  test.after(() => app.close())
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('set-cookie', 'own=1')
  })
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-frame-options', 'DENY')
  })
  app.register(portariaRoutes(createPortaria({ url: 'http://localhost:1', appUrl: `http://localhost:${port}` })))
  app.all('/*', async () => 'caught all')
  await app.listen({ port, host: 'localhost' })
  const start = await newVisitor(`http://localhost:${port}`).open('/auth/sign-in')
  assert.deepEqual(
    start.setCookies.map((line) => line.replace(/_attempt.*/, '').split('=')[0]),
    ['own', 'portaria'],
  )
  assert.equal(start.headers['x-frame-options'], 'DENY')
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
  const left = await newVisitor(`http://localhost:${port}`).send('POST', '/auth/sign-out', { headers: form, body: 'a=1' })
  assert.equal(left.status, 302)
  assert.equal((await newVisitor(`http://localhost:${port}`).open('/else')).text, 'caught all')
})
