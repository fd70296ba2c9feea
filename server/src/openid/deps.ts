import type { ChangeFeed } from '../changes/index.ts'
import type { SecurityHeaders } from '../http/index.ts'
import type { Sealer } from '../kit/index.ts'
import type { KeyRing, LiveSessions } from '../sessions/index.ts'
import type { GuardDeps } from '../sign-in/index.ts'
import type { ClientDocuments } from './client-documents/fetch-document.ts'

/** The floor's deps. */
export interface OpenIdDeps extends GuardDeps {
  changes: ChangeFeed
  sessions: LiveSessions
  keys: KeyRing
  /** Seals the signing keys. */
  sealer: Sealer
  headers: SecurityHeaders
  /** Clients that describe themselves; absent while the experiment is off. */
  documents: ClientDocuments | undefined
  onFault: (error: unknown) => void
}
