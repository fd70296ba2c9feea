// The console in front of an admin API of canned answers: what the frame does whatever the service behind it says.
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { FastifyRequest } from 'fastify'
import { consoleRoutes, createLogger, createMetrics, createResponses, createServer, securityHeaders } from '../../server/src/http/index.ts'
import { createAdmission } from '../../server/src/rate-limits/index.ts'
import { assertConsoleBuilt } from './console-harness.ts'

export interface Canned {
  status: number
  body: unknown
  headers?: Record<string, string>
}

/** The requests to the API, in order. */
export interface Asked {
  method: string
  path: string
  query: Record<string, string>
  body: unknown
  ifMatch: string | undefined
}

export interface CannedConsole {
  url: string
  asked: Asked[]
  stop(): Promise<void>
}

const NOT_FOUND: Canned = { status: 404, body: { error: 'nao encontrado' } }

/** `answer` plays the API; what it leaves `undefined` is not found. `/admin/authenticated` says at once that the user signed in. */
export async function startCannedConsole(answer: (asked: Asked) => Canned | undefined): Promise<CannedConsole> {
  assertConsoleBuilt()
  const headers = securityHeaders({ https: false })
  const responses = createResponses(headers, { https: false })
  const app = createServer({
    trustProxy: undefined,
    admission: createAdmission(),
    responses,
    logger: createLogger('silent'),
    metrics: createMetrics(),
    findImpersonation: async () => undefined,
  })
  const asked: Asked[] = []
  app.all('/api/admin/*', async (request, reply) => {
    const one = readAsked(request)
    asked.push(one)
    const { status, body, headers: own = {} } = answer(one) ?? NOT_FOUND
    return reply
      .code(status)
      .headers({ ...headers.json, ...own })
      .send(JSON.stringify(body))
  })
  app.get('/admin/sign-in', async (_request, reply) =>
    responses.page(reply, 200, '<!doctype html><title>sign-in</title><h1>Sign in here</h1>'),
  )
  app.get('/admin/authenticate', async (_request, reply) =>
    responses.page(reply, 200, '<!doctype html><title>authenticate</title><script src="/authenticated.js"></script>'),
  )
  app.get('/authenticated.js', async (_request, reply) =>
    reply.type('text/javascript').send("new BroadcastChannel('portaria-admin').postMessage('authenticated')"),
  )
  consoleRoutes(app, { responses, headers, folder: fileURLToPath(new URL('../../console/dist', import.meta.url)) })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, asked, stop: () => app.close() }
}

function readAsked({ method, url, body, headers }: FastifyRequest): Asked {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  return {
    method,
    path: pathname.slice('/api/admin/'.length),
    query: Object.fromEntries(searchParams),
    body: typeof body === 'string' && body !== '' ? JSON.parse(body) : undefined,
    ifMatch: headers['if-match'],
  }
}
