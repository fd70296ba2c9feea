import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { ImpersonationNotice } from '../../pages/index.ts'
import type { Admission } from '../../rate-limits/index.ts'
import type { Metrics } from '../observation/metrics.ts'
import type { Responses } from '../responses.ts'
import type { Timeouts } from './sockets.ts'

export interface ServerDeps {
  trustProxy: number | string[] | undefined
  responses: Responses
  logger: Logger
  metrics: Metrics
  admission: Admission
  /** The administrator of a browser's impersonation, for an address without a route, where nothing else finds out. */
  findImpersonation(request: FastifyRequest): Promise<ImpersonationNotice | undefined>
  /** The most connections, if not those that the system allows. */
  connections?: number
  /** The most bytes of bodies that are on their way, if not the usual ones. */
  bodyBytes?: number
  /** Timeouts for peers, if not the usual ones. */
  timeouts?: Timeouts
}
