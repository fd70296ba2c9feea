import assert from 'node:assert/strict'
import { once } from 'node:events'
import { it } from 'node:test'
import { serve } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { portariaRoutes, requireUser } from '../../src/hono.ts'
import { createPortaria } from '../../src/index.ts'
import { describeAdapter } from './adapter.ts'

describeAdapter('Hono', async (portaria, port) => {
  const app = new Hono()
  app.use(portariaRoutes(portaria))
  app.get('/private', requireUser(portaria), (c) => c.text(`private of ${c.var.user.name}`))
  app.get('/open', async (c) => c.json(await portaria.session(c.req.raw)))
  app.post('/echo', async (c) => c.text(JSON.stringify(await c.req.json())))
  app.onError((fault, c) => c.text(`caught ${fault.message}`, 500))
  const server = serve({ fetch: app.fetch, port, hostname: 'localhost' })
  await once(server, 'listening')
  return server
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
