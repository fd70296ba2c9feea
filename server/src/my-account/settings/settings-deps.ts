import type { ChangeFeed } from '../../changes/index.ts'
import type { Outbox } from '../../outbox/index.ts'
import type { GuardDeps } from '../../sign-in/index.ts'

export interface SettingsDeps extends GuardDeps {
  changes: ChangeFeed
  codeKey: Uint8Array
  outbox: Pick<Outbox, 'wake'>
}
