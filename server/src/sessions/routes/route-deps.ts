import type { ChangeFeed } from '../../changes/index.ts'
import type { Metrics, Responses, SecurityHeaders } from '../../http/index.ts'
import type { AccessTokens } from '../../identity-providers/index.ts'
import type { Now } from '../../kit/index.ts'
import type { ProductDirectory } from '../../products/index.ts'
import type { Admission } from '../../rate-limits/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { Checks } from '../check/check.ts'
import type { LiveSessions } from '../check/live-sessions.ts'
import type { OpenedApps } from '../check/opened-apps.ts'
import type { KeyRing } from '../signing-keys/key-ring.ts'
import type { Tokens } from '../tokens.ts'

export interface SessionRouteDeps {
  admission: Admission
  checks: Checks
  sessions: LiveSessions
  tokens: Tokens
  keys: KeyRing
  products: ProductDirectory
  storage: Storage
  changes: ChangeFeed
  responses: Responses
  headers: SecurityHeaders
  metrics: Metrics
  issuer: string
  accessTokenSeconds: number
  accessTokens: AccessTokens
  onFault: (error: unknown) => void
  openedApps: OpenedApps
  now: Now
}
