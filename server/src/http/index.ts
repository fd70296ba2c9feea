// http: everything about HTTP that is not about one product flow. Owns: the server and its limits, cookies, answers and their security
// headers, logs, metrics, the API description. Does not own: the routes of the contract, which stand in each floor's routes.ts; the parts
// of a page (pages); limits (rate-limits).

export { bearerToken, formBody, jsonObject, jsonText, queryOf } from './body.ts'
export { clientAddress, createPeerTrust, networkOf } from './client-address.ts'
export { consoleRoutes } from './console/console-routes.ts'
export { formatCookie, readCookie, readCookies } from './cookies.ts'
export { docsRoutes } from './docs/docs-routes.ts'
export { createLogStream, type LogStream } from './observation/log-stream.ts'
export { createLogger, type Logger, type LogLevel } from './observation/logger.ts'
export { createMetrics, type Metrics } from './observation/metrics.ts'
export { createMetricsServer } from './observation/metrics-server.ts'
export { operationRoutes } from './observation/operation-routes.ts'
export { isBehindTheBack, originOf } from './own-origin.ts'
export { type AsciiJson, asciiJson, createPrebuiltResponses } from './prebuilt-response.ts'
export { createResponses, type Responses, wantsPage } from './responses.ts'
export {
  type AnswerSchema,
  csvAnswer,
  errorBody,
  faults,
  formBodySchema,
  formOrJsonBodySchema,
  jsonAnswer,
  jsonBodySchema,
  orPage,
  pageAnswer,
  pageFaults,
  pageTooLarge,
  redirectAnswer,
  refusal,
  tooLarge,
} from './schemas.ts'
export { type SecurityHeaders, securityHeaders } from './security-headers.ts'
export { admitRequests, watchAdmission } from './server/admission-guards.ts'
export { observeRequests } from './server/observe-requests.ts'
export { portFault } from './server/port-holder.ts'
export { createServer } from './server/server.ts'
export { endAfterAnswers, trackSilent } from './server/sockets.ts'
export { stopWithGrace } from './server/stop-with-grace.ts'
