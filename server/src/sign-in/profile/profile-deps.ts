import type { ChangeFeed } from '../../changes/index.ts'
import type { LiveSessions, Tokens } from '../../sessions/index.ts'
import type { GuardDeps } from '../guards/guard-deps.ts'

export interface ProfileDeps extends GuardDeps {
  changes: ChangeFeed
  sessions: LiveSessions
  taxIdKey: Uint8Array
  tokens: Tokens
}
