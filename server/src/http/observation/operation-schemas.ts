import { z } from 'zod'
import { jsonAnswer, orPage, refusal } from '../schemas.ts'

export const aliveSchema = {
  operationId: 'isAlive',
  summary: 'Alive',
  description: 'Says that the process answers; the database is not asked.',
  tags: ['operation'],
  response: { 200: jsonAnswer('Alive', z.object({ status: z.literal('ok') }), { status: 'ok' }) },
}

const warningList = z.array(z.string()).describe('what the operator should look at')

export const readySchema = {
  operationId: 'isReady',
  summary: "Able to work: database reachable and writable, migrations applied, clock within an hour of the database's",
  tags: ['operation'],
  response: {
    200: jsonAnswer('Ready', z.object({ status: z.literal('ready'), pending_migrations: z.array(z.string()), warnings: warningList }), {
      status: 'ready',
      pending_migrations: [],
      warnings: [],
    }),
    503: jsonAnswer(
      'Not ready',
      z.object({
        status: z.enum(['migrations_pending', 'database_away', 'database_unwritable', 'version_too_old', 'clock_wrong']),
        pending_migrations: z.array(z.string()).optional(),
        warnings: warningList,
      }),
      { status: 'database_away', warnings: [] },
    ),
  },
}

export const metricsSchema = {
  operationId: 'getMetrics',
  summary: 'Prometheus metrics, for loopback only',
  description: 'With PORTARIA_METRICS_PORT they stand on a port of their own and not here.',
  tags: ['operation'],
  response: {
    200: { description: 'The metrics', content: { 'text/plain': { schema: z.string() } } },
    404: orPage(refusal({ 'Recurso nao encontrado': 'asked from elsewhere, or metrics have their own port' })),
  },
}
