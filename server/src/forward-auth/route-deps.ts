import type { ChangeFeed } from '../changes/index.ts'
import type { Metrics, Responses, SecurityHeaders } from '../http/index.ts'
import type { ForwardedHost, ForwardedHosts } from '../products/index.ts'
import type { Admission } from '../rate-limits/index.ts'
import type { Checks, OpenedApps } from '../sessions/index.ts'
import type { DecideDeps, EntryRefusal } from './decide.ts'

export interface ForwardAuthRouteDeps extends DecideDeps {
  admission: Admission
  checks: Checks
  forwardedHosts: ForwardedHosts
  openedApps: OpenedApps
  changes: ChangeFeed
  responses: Responses
  headers: SecurityHeaders
  metrics: Metrics
  /** Whether the server at the other end of the connection is a trusted proxy. */
  isTrustedPeer: (peer: { remoteAddress?: string | undefined }) => boolean
  baseUrl: string
}

/** The head of an answer that lets a request pass, as pairs of header and value. */
export type Head = readonly string[]

/** The database is away, or there is no room for the work. */
type Unanswered = 'unknown' | 'shed'

export type Result = 'allowed' | 'proxy_untrusted' | 'host_unknown' | 'session_missing' | EntryRefusal | Unanswered

export type Judged = { head: Head } | { result: Exclude<Result, 'allowed'>; host?: ForwardedHost }
