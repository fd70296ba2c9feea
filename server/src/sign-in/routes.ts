import type { FastifyInstance } from 'fastify'
import type { ChangeFeed } from '../changes/index.ts'
import type { Metrics, Responses } from '../http/index.ts'
import type { Discovery } from '../identity-providers/index.ts'
import type { Now, Sealer } from '../kit/index.ts'
import type { Outbox } from '../outbox/index.ts'
import { authenticatedScript, favicon, passkeyScript, passwordMeter, stylesheet } from '../pages/index.ts'
import type { LimitStore } from '../rate-limits/index.ts'
import type { LiveSessions, Tokens } from '../sessions/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Attempts, Authentication, DeviceCookies, PasswordHasher } from '../users/index.ts'
import type { AttemptDeps } from './flow/sign-in-attempt.ts'
import { continueRoutes } from './login/continue-routes.ts'
import { loginRoutes } from './login/login-routes.ts'
import { passkeySignInRoutes } from './login/passkey-sign-in-routes.ts'
import { providerRoutes } from './login/provider-routes.ts'
import { secondFactorRoutes } from './login/second-factor-routes.ts'
import { signOutRoutes } from './login/sign-out-routes.ts'
import { profileRoutes } from './profile/profile-routes.ts'
import { recoveryRoutes } from './recovery/recovery-routes.ts'
import { signUpRoutes } from './sign-up/sign-up-routes.ts'

export interface SignInDeps extends AttemptDeps {
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
  outbox: Pick<Outbox, 'wake'>
  sealer: Sealer
  codeKey: Uint8Array
  /** The one address that identity providers send browsers back to. */
  callbackUrl: string
  onFault: (error: unknown) => void
  taxIdKey: Uint8Array
  responses: Responses
  metrics: Metrics
  cookieDomain: string | undefined
  /** Where mails are written, on a developer's own machine where none is sent; pages there say so. */
  mailFolder: string | undefined
  now: Now
}

/** Every page of the sign-in, and the files that pages need. */
export function signInRoutes(scope: FastifyInstance, deps: SignInDeps): void {
  loginRoutes(scope, deps)
  providerRoutes(scope, deps)
  passkeySignInRoutes(scope, deps)
  secondFactorRoutes(scope, deps)
  signUpRoutes(scope, deps)
  recoveryRoutes(scope, deps)
  profileRoutes(scope, deps)
  continueRoutes(scope, deps)
  signOutRoutes(scope, deps)
  for (const { path, type, body } of [stylesheet, favicon, passwordMeter, passkeyScript, authenticatedScript]) {
    scope.get(path, { schema: { hide: true } }, async (_request, reply) =>
      reply
        .headers({ 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' })
        .send(body),
    )
  }
}
