import type { ChangeFeed } from '../../changes/index.ts'
import type { Outbox } from '../../outbox/index.ts'
import type { GuardDeps } from '../../sign-in/index.ts'
import type { PasswordHasher } from '../../users/index.ts'

export interface CredentialsDeps extends GuardDeps {
  changes: ChangeFeed
  codeKey: Uint8Array
  outbox: Pick<Outbox, 'wake'>
  passwords: PasswordHasher
}
