import type { ChangeFeed } from '../../changes/index.ts'
import type { GuardedFetch } from '../../guarded-fetch/index.ts'
import type { Metrics } from '../../http/index.ts'
import type { Discovery } from '../../identity-providers/index.ts'
import type { MasterKeys, Sealer } from '../../kit/index.ts'
import type { Outbox } from '../../outbox/index.ts'
import type { Gateway, ProductDirectory } from '../../products/index.ts'
import type { Tokens } from '../../sessions/index.ts'
import type { MailJobDeps, PasswordHasher } from '../../users/index.ts'
import type { AdminApiDeps } from './admin-route.ts'

/** What the operations of /api/admin are built with: each takes what it uses. */
export interface AdminDeps extends AdminApiDeps {
  changes: ChangeFeed
  tokens: Tokens
  products: ProductDirectory
  sealer: Sealer
  masterKeys: MasterKeys
  passwords: PasswordHasher
  discovery: Discovery
  guardedFetch: GuardedFetch
  /** Rung after a commit that has left a job. */
  outbox: Pick<Outbox, 'wake'>
  metrics: Metrics
  /** The gateways that this installation speaks with. */
  gateways: readonly Gateway[]
  cookieDomain: string | undefined
  /** `PORTARIA_URL` is a loopback host: vendors' APIs may be asked over http. */
  isDevelopment: boolean
  /** The secrets shared with the sender of purchases. */
  webhookSecrets: readonly string[]
  /** How an invitation is mailed; `undefined` where no mail would ever go out. */
  invite: Pick<MailJobDeps, 'sealer' | 'codeKey' | 'baseUrl'> | undefined
  timeoutSeconds: number
}
