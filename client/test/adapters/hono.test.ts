import assert from 'node:assert/strict'
import { once } from 'node:events'
import { it } from 'node:test'
import { serve } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { portariaRoutes, requireUser } from '../../src/hono.ts'
import { createPortaria } from '../../src/index.ts'
import { ANA, portariaOf } from '../ana.ts'
import { describeAdapter } from './adapter.ts'

describeAdapter('Hono', async (portaria, port) => {
  const app = new Hono()
  app.use(portariaRoutes(portaria))
  app.get('/private', requireUser(portaria), (c) => c.text(`private of ${c.var.user.name}`))
  app.get('/private/kept', requireUser(portaria), (c) => {
    c.header('cache-control', 'max-age=60')
    return c.text('')
  })
  app.get('/open', async (c) => c.json(await portaria.session(c.req.raw)))
  app.post('/echo', async (c) => c.text(JSON.stringify(await c.req.json())))
  app.onError((fault, c) => c.text(`caught ${fault.message}`, 500))
  const server = serve({ fetch: app.fetch, port, hostname: 'localhost' })
  await once(server, 'listening')
  return server
})

it('a guard of Hono makes an answer of any kind private, and leaves the cache-control that the app has set', async () => {
  const app = new Hono()
  app.use('/outer', async (c, next) => {
    await next()
    c.header('cache-control', 'max-age=60')
  })
  const guard = requireUser(portariaOf(ANA))
  app.use(guard)
  app.onError((_fault, c) => c.text('caught', 500))
  app.get('/outer', guard, (c) => c.text(c.var.user.name))
  app.get('/response', () => new Response('a', { headers: { 'x-own': '1' } }))
  app.get('/own', () => new Response('a', { headers: { 'cache-control': 'max-age=60' } }))
  app.get('/fetched', () => fetch('data:text/plain,a')) // its headers can't be changed
  app.get('/fault', () => {
    throw new Error('planted')
  })
  const kept = async (path: string) => (await app.request(path)).headers.get('cache-control')
  assert.deepEqual(await Promise.all(['/outer', '/own'].map(kept)), ['max-age=60', 'max-age=60'])
  for (const path of ['/response', '/fetched', '/fault', '/nowhere']) assert.equal(await kept(path), 'private, no-store', path)
  const { headers, status } = await app.request('/response')
  assert.deepEqual([status, headers.get('x-own')], [200, '1'])
})

const readers = {
  'c.req.text()': (c) => c.req.text(),
  'c.req.formData()': (c) => c.req.formData(),
  'c.req.parseBody()': (c) => c.req.parseBody(),
} satisfies Record<string, (c: Context) => Promise<unknown>>

for (const [name, read] of Object.entries(readers))
  it(`a form that the app has read by ${name} is there for the client as well, and so is an event`, async () => {
    const portaria = createPortaria({ url: 'http://localhost:1', appUrl: 'http://localhost:2' })
    const app = new Hono()
    app.use(async (c, next) => {
      if (name === 'c.req.text()' || c.req.path === '/form') await read(c)
      else await c.req.json()
      await next()
    })
    app.use(portariaRoutes({ ...portaria, handle: async (_request, readBody) => new Response(await readBody?.()) }))
    const send = async (path: string, body: BodyInit) => (await app.request(path, { method: 'POST', body })).text()
    assert.equal(await send('/form', new URLSearchParams({ logout_token: 'a.b.c' })), 'logout_token=a.b.c')
    assert.equal(await send('/event', '{"type":"user.updated"}'), '{"type":"user.updated"}')
  })
