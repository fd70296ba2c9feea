// http: everything about HTTP that is not about one product flow.
// Owns: the server and its limits, cookies, answers and their security headers, error pages, layout, languages, rate limits, logs and metrics.
// Does not own: any route of the contract; those stand in each floor's routes.ts.

export { type ActingNotice, STOP_ACTING } from './acting-banner.ts'
export { type Answers, createAnswers, wantsPage } from './answers.ts'
export { favicon, passkeyScript, passwordMeter, provenScript, stylesheet } from './assets.ts'
export { bearerToken, formBody, jsonObject, jsonText, queryOf } from './body.ts'
export { clientAddress, networkOf } from './client-address.ts'
export { consoleRoutes } from './console-routes.ts'
export { formatCookie, readCookie, readCookies } from './cookies.ts'
export { docsRoutes } from './docs-routes.ts'
export { errorPage } from './error-page.ts'
export { type Href, isHref, ownHref } from './href.ts'
export { type Language, languages } from './languages.ts'
export { layout, type PageContext } from './layout.ts'
export type { Limit, LimitStore } from './limits.ts'
export { createLogStream, type LogStream } from './log-stream.ts'
export { createLogger, createMetrics, type Logger, type LogLevel, type Metrics } from './observe.ts'
export { createMetricsServer, operationRoutes } from './operation-routes.ts'
export { createOutgoing, type Outgoing } from './outgoing.ts'
export { isBehindTheBack, originOf } from './own-origin.ts'
export { portFault } from './port-holder.ts'
export { type AsciiJson, asciiJson, createReadyAnswers } from './ready-answer.ts'
export {
  type AnswerSchema,
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
export { createServer, observeRequests } from './server.ts'
export { stopWithGrace } from './stop-with-grace.ts'
export { forgetOldLimits, limitStore } from './store.ts'
