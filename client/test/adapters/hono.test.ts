import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { portariaRoutes, requireUser } from '../../src/hono.ts'
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
