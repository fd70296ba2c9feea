import type { FastifyInstance } from 'fastify'
import { bareAnswer } from './bare-answer.ts'
import { connectionLimit, limitConnections } from './connection-limit.ts'
import type { ServerDeps } from './server-deps.ts'
import type { Timeouts } from './sockets.ts'

const LOG_EVERY_MS = 60_000

/** A flood of connections is logged once a minute. */
export function refuseBeyondLimit(
  app: FastifyInstance,
  { connections = connectionLimit(), timeouts, metrics, logger }: ServerDeps & { timeouts: Timeouts },
): void {
  let refused = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  const onRefused = () => {
    refused++
    if (performance.now() - loggedAt < LOG_EVERY_MS) return
    loggedAt = performance.now()
    logger.warn({ connections, refused }, 'connections are refused: all that this process may open are taken')
  }
  const answer = bareAnswer(503, { 'retry-after': '2' })
  limitConnections(app.server, { most: connections, answer, timeouts, onRefused })
  metrics.countTotal('portaria_connections_refused_total', 'Connections refused because all were taken', () => refused)
}
