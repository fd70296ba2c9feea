import type { Actor } from '../../../audit/index.ts'
import type { ChangeFeed } from '../../../changes/index.ts'
import type { Now } from '../../../kit/index.ts'
import type { Storage } from '../../../storage/index.ts'
import type { MailJobDeps, PasswordHasher } from '../../../users/index.ts'

export interface OperatorDeps {
  storage: Storage
  changes: ChangeFeed
  passwords: PasswordHasher
  now: Now
  /** The actor in the audit log: `operator:cli`, or `user:<id>`. */
  actor: Actor
}

/** The parts of a mail to a new user. */
export type InviteDeps = Pick<MailJobDeps, 'sealer' | 'codeKey' | 'baseUrl'>
