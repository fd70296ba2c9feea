import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { bareAnswer } from './bare-answer.ts'
import { createBodyBudget, MOST_BODY_BYTES } from './body-budget.ts'
import { connectionLimit, limitConnections } from './connection-limit.ts'
import { readBody } from './read-body.ts'
import type { ServerDeps } from './server-deps.ts'
import type { Timeouts } from './sockets.ts'

const LOG_EVERY_MS = 60_000

type LimitDeps = ServerDeps & { timeouts: Timeouts }

export function refuseBeyondLimit(app: FastifyInstance, { connections = connectionLimit(), timeouts, metrics, logger }: LimitDeps): void {
  const refused = countRefused(logger, { connections }, 'connections are refused: all that this process may open are taken')
  const answer = bareAnswer(503, { 'retry-after': '2' })
  limitConnections(app.server, { most: connections, answer, timeouts, onRefused: refused.note })
  metrics.countTotal('portaria_connections_refused_total', 'Connections refused because all were taken', refused.count)
}

/** Bodies stay text, or bytes: each route parses its own, because the contract has its own messages for errors. */
export function readBodies(app: FastifyInstance, { bodyBytes = MOST_BODY_BYTES, metrics, logger }: ServerDeps): void {
  const refused = countRefused(logger, { bodyBytes }, 'requests are ended: too much of bodies is on its way, and theirs hold the most')
  const budget = createBodyBudget({ most: bodyBytes, onEnded: refused.note })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, payload, done) => readBody(request, payload, budget, done))
  metrics.countTotal('portaria_bodies_refused_total', 'Requests ended because too much of bodies was on its way', refused.count)
}

/** A flood is logged once a minute. */
function countRefused(logger: Logger, limit: Record<string, number>, message: string): { note: () => void; count: () => number } {
  let refused = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  return {
    note() {
      refused++
      if (performance.now() - loggedAt < LOG_EVERY_MS) return
      loggedAt = performance.now()
      logger.warn({ ...limit, refused }, message)
    },
    count: () => refused,
  }
}
