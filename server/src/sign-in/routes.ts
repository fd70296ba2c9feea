import type { FastifyInstance } from 'fastify'
import type { ChangeFeed } from '../changes/index.ts'
import type { Answers, Metrics } from '../http/index.ts'
import type { Discovery } from '../identity-providers/index.ts'
import type { Now, Sealer } from '../kit/index.ts'
import type { Outbox } from '../outbox/index.ts'
import { favicon, passkeyScript, passwordMeter, provenScript, stylesheet } from '../pages/index.ts'
import type { LimitStore } from '../rate-limits/index.ts'
import type { LiveSessions, Tokens } from '../sessions/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Attempts, Authentication, DeviceCookies, PasswordHasher } from '../users/index.ts'
import { confirmEmailRoutes } from './confirm-email-routes.ts'
import { continueRoutes } from './continue-routes.ts'
import { credentialsRoutes } from './credentials-routes.ts'
import { deletionRoutes } from './deletion-routes.ts'
import { loginRoutes } from './login-routes.ts'
import { ownPasskeysRoutes } from './own-passkeys-routes.ts'
import { ownRecordsRoutes } from './own-records-routes.ts'
import { ownSessionsRoutes } from './own-sessions-routes.ts'
import { ownSettingsRoutes } from './own-settings-routes.ts'
import { passkeySignInRoutes } from './passkey-sign-in-routes.ts'
import { profileRoutes } from './profile-routes.ts'
import { providerRoutes } from './provider-routes.ts'
import { recoveryRoutes } from './recovery-routes.ts'
import { secondFactorRoutes } from './second-factor-routes.ts'
import { signUpRoutes } from './sign-up-routes.ts'
import { signOutRoutes } from './signout-routes.ts'
import { twoFactorRoutes } from './two-factor-routes.ts'
import type { VisitDeps } from './visit.ts'

export interface SignInDeps extends VisitDeps {
  storage: Storage
  changes: ChangeFeed
  tokens: Tokens
  sessions: LiveSessions
  authenticate: Authentication
  attempts: Attempts
  devices: DeviceCookies
  limits: LimitStore
  passwords: PasswordHasher
  discovery: Discovery
  outbox: Pick<Outbox, 'nudge'>
  sealer: Sealer
  codeKey: Uint8Array
  /** The one address that identity providers send browsers back to. */
  callbackUrl: string
  onFault: (error: unknown) => void
  taxIdKey: Uint8Array
  answers: Answers
  metrics: Metrics
  cookieDomain: string | undefined
  /** Where mails are written, on a developer's own machine where none is sent; pages there say so. */
  mailFolder: string | undefined
  now: Now
}

/** Every page of the sign-in, and the files they need. */
export function signInRoutes(scope: FastifyInstance, deps: SignInDeps): void {
  loginRoutes(scope, deps)
  providerRoutes(scope, deps)
  passkeySignInRoutes(scope, deps)
  ownPasskeysRoutes(scope, deps)
  secondFactorRoutes(scope, deps)
  signUpRoutes(scope, deps)
  recoveryRoutes(scope, deps)
  credentialsRoutes(scope, deps)
  twoFactorRoutes(scope, deps)
  confirmEmailRoutes(scope, deps)
  profileRoutes(scope, deps)
  ownSessionsRoutes(scope, deps)
  ownRecordsRoutes(scope, deps)
  ownSettingsRoutes(scope, deps)
  deletionRoutes(scope, deps)
  continueRoutes(scope, deps)
  signOutRoutes(scope, deps)
  for (const { path, type, body } of [stylesheet, favicon, passwordMeter, passkeyScript, provenScript]) {
    scope.get(path, { schema: { hide: true } }, async (_request, reply) =>
      reply
        .headers({ 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' })
        .send(body),
    )
  }
}
