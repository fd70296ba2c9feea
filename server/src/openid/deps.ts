import type { ChangeFeed } from '../changes/index.ts'
import type { SecurityHeaders } from '../http/index.ts'
import type { Sealer } from '../kit/index.ts'
import type { KeyRing, LiveSessions } from '../sessions/index.ts'
import type { GuardDeps } from '../sign-in/index.ts'

/** What the floor is built with. */
export interface OpenIdDeps extends GuardDeps {
  changes: ChangeFeed
  sessions: LiveSessions
  keys: KeyRing
  /** The one that seals the signing keys. */
  sealer: Sealer
  headers: SecurityHeaders
  onFault: (error: unknown) => void
}
