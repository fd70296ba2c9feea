import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Clock, describeClock } from '../../kit/index.ts'
import type { Siblings } from '../../processes/index.ts'
import {
  besideNewer,
  createWriteProbe,
  FilesReplaced,
  isDatabaseAway,
  newerSentence,
  type Storage,
  schemaState,
  type WriteProbe,
} from '../../storage/index.ts'
import { isLoopback } from '../client-address.ts'
import type { Responses } from '../responses.ts'
import { everyMs } from './every-ms.ts'
import type { Metrics } from './metrics.ts'
import { aliveSchema, metricsSchema, readySchema } from './operation-schemas.ts'

export interface OperationDeps {
  storage: Storage
  responses: Responses
  metrics: Metrics
  /** The processes that serve the port with this one, where there are several. */
  siblings: Siblings | undefined
  clock: Clock
  hasTrustedProxy: boolean
  /** Metrics with a port of their own are not served here. */
  metricsPort: number | undefined
}

/** Anyone may ask whether the service is ready; the tables are looked at no more often than this. */
const LOOK_MS = 1_000
const FORWARDED_UNTRUSTED = 'X-Forwarded-For arrives but PORTARIA_TRUST_PROXY is not set: every visitor counts as the proxy'

/** `GET /healthz` (alive), `GET /readyz` (able to work), `GET /metrics` for Prometheus. */
export function operationRoutes(scope: FastifyInstance, deps: OperationDeps): void {
  const { responses, metrics, hasTrustedProxy } = deps
  const warnings = new Set<string>()
  const writes = createWriteProbe(deps.storage)
  const readState = everyMs(LOOK_MS, () => schemaState(deps.storage))
  if (!hasTrustedProxy) {
    scope.addHook('onRequest', async (request) => {
      if (request.headers['x-forwarded-for'] !== undefined) warnings.add(FORWARDED_UNTRUSTED)
    })
  }
  scope.get('/healthz', { schema: aliveSchema }, async (_request, reply) => responses.json(reply, 200, { status: 'ok' }))
  scope.get('/readyz', { schema: readySchema }, (_request, reply) => ready(reply, warnings, { ...deps, writes, readState }))
  scope.get('/metrics', { schema: metricsSchema }, async (request, reply) => {
    if (deps.metricsPort !== undefined || !isLocal(request)) return responses.refuse(request, reply, 404, 'Recurso nao encontrado')
    const { text, contentType } = await metrics.read()
    return reply.header('cache-control', 'no-store').type(contentType).send(text)
  })
}

type ReadyDeps = OperationDeps & { writes: WriteProbe; readState: () => ReturnType<typeof schemaState> }

async function ready(
  reply: FastifyReply,
  noticed: ReadonlySet<string>,
  { storage, responses, siblings, clock, writes, readState }: ReadyDeps,
): Promise<FastifyReply> {
  const damage = storage.damage() ?? siblings?.damage()
  const about = [...noticed, ...missingProcesses(siblings), ...(damage === undefined ? [] : [damage])]
  try {
    const { pending, newer, needs } = await readState()
    const ofClock = clock.state() === 'right' ? [] : [describeClock(clock.aheadMs())]
    const warnings = [...about, ...ofClock, ...(newer.length > 0 ? [besideNewer(newer, storage.timeline.version)] : [])]
    if (needs) return responses.json(reply, 503, { status: 'version_too_old', warnings: [...about, ...ofClock, newerSentence(needs)] })
    const status = pending.length > 0 ? 'migrations_pending' : clock.state() === 'wrong' ? 'clock_wrong' : await writeState(writes)
    return responses.json(reply, status === 'ready' ? 200 : 503, { status, pending_migrations: pending, warnings })
  } catch (error) {
    if (!isDatabaseAway(error)) throw error
    const why = error instanceof FilesReplaced ? [error.message] : []
    return responses.json(reply, 503, { status: 'database_away', warnings: [...about, ...why] })
  }
}

/** Asked last: without its tables a database can't be written to. */
async function writeState(writes: WriteProbe): Promise<'ready' | 'database_unwritable'> {
  return (await writes.find()) === 'writable' ? 'ready' : 'database_unwritable'
}

/** While one is missing the others serve the port. */
function missingProcesses(siblings: Siblings | undefined): string[] {
  const { serving, wanted } = siblings?.count() ?? { serving: 1, wanted: 1 }
  return serving < wanted ? [`${serving} of ${wanted} processes are serving; the others are being started`] : []
}

/** A proxy on the same machine is loopback too, but names its client. */
function isLocal({ socket, headers }: FastifyRequest): boolean {
  return isLoopback(socket.remoteAddress) && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined
}
