import type { ChangeFeed } from '../changes/index.ts'
import type { SecurityHeaders } from '../http/index.ts'
import type { Sealer } from '../kit/index.ts'
import type { KeyRing, LiveSessions } from '../sessions/index.ts'
import type { GuardDeps } from '../sign-in/index.ts'

/** The floor's deps. */
export interface OpenIdDeps extends GuardDeps {
  changes: ChangeFeed
  sessions: LiveSessions
  keys: KeyRing
  /** Seals the signing keys. */
  sealer: Sealer
  headers: SecurityHeaders
  onFault: (error: unknown) => void
}
