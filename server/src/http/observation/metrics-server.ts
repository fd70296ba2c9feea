import { createServer as createHttpServer, type Server } from 'node:http'
import { endSlowReaders, TIMEOUTS, type Timeouts } from '../server/sockets.ts'
import type { Metrics } from './metrics.ts'

/** Metrics on a port of their own, for everyone who can reach `host`. */
export function createMetricsServer({ read }: Pick<Metrics, 'read'>, timeouts: Timeouts = TIMEOUTS): Server {
  const server = createHttpServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    read().then(
      ({ text, contentType }) => response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  endSlowReaders(server, timeouts)
  return server
}
