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

/** The deps of all operations of /api/admin; each takes those it uses. */
export interface AdminDeps extends AdminApiDeps {
  changes: ChangeFeed
  tokens: Tokens
  products: ProductDirectory
  sealer: Sealer
  masterKeys: MasterKeys
  passwords: PasswordHasher
  discovery: Discovery
  guardedFetch: GuardedFetch
  /** Called after a commit that has left a job. */
  outbox: Pick<Outbox, 'wake'>
  metrics: Metrics
  /** The gateways that this installation supports. */
  gateways: readonly Gateway[]
  cookieDomain: string | undefined
  /** Where a proxy on this machine reaches the service. */
  proxyUrl: string
  /** `PORTARIA_URL` is a loopback host: gateways' APIs may be called over http. */
  isDevelopment: boolean
  /** The secrets shared with the sender of purchases. */
  webhookSecrets: readonly string[]
  /** The sender of invitations; `undefined` where no mail server is configured. */
  invite: Pick<MailJobDeps, 'sealer' | 'codeKey' | 'baseUrl'> | undefined
  timeoutSeconds: number
}
