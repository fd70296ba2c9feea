import type { FastifyInstance } from 'fastify'
import {
  accountStylesheet,
  authenticatedScript,
  codesScript,
  favicon,
  passkeyScript,
  passwordMeter,
  pictureScript,
  revealScript,
  shapesScript,
  stylesheet,
  touchIcon,
} from '../pages/index.ts'
import { type ContinueDeps, continueRoutes } from './continue/continue-routes.ts'
import { type ForwardStartDeps, forwardStartRoutes } from './forward/forward-start-routes.ts'
import type { LoginDeps } from './login/login-deps.ts'
import { loginRoutes } from './login/login-routes.ts'
import { type PasskeySignInDeps, passkeySignInRoutes } from './login/passkey-sign-in-routes.ts'
import type { ProfileDeps } from './profile/profile-deps.ts'
import { profileRoutes } from './profile/profile-routes.ts'
import type { ProviderDeps } from './providers/provider-deps.ts'
import { providerRoutes } from './providers/provider-routes.ts'
import type { RecoveryDeps } from './recovery/recovery-deps.ts'
import { recoveryRoutes } from './recovery/recovery-routes.ts'
import { type SecondFactorDeps, secondFactorRoutes } from './second-factor/second-factor-routes.ts'
import { type SignOutDeps, signOutRoutes } from './sign-out/sign-out-routes.ts'
import type { SignUpDeps } from './sign-up/sign-up-deps.ts'
import { signUpRoutes } from './sign-up/sign-up-routes.ts'

/** The deps of all journeys together, as the wiring gives them. */
export type SignInRouteDeps = LoginDeps &
  ForwardStartDeps &
  ProviderDeps &
  PasskeySignInDeps &
  SecondFactorDeps &
  SignUpDeps &
  RecoveryDeps &
  ProfileDeps &
  ContinueDeps &
  SignOutDeps

/** Every page of the sign-in, with the files that pages need. */
export function signInRoutes(scope: FastifyInstance, deps: SignInRouteDeps): void {
  loginRoutes(scope, deps)
  forwardStartRoutes(scope, deps)
  providerRoutes(scope, deps)
  passkeySignInRoutes(scope, deps)
  secondFactorRoutes(scope, deps)
  signUpRoutes(scope, deps)
  recoveryRoutes(scope, deps)
  profileRoutes(scope, deps)
  continueRoutes(scope, deps)
  signOutRoutes(scope, deps)
  for (const { path, type, body } of [
    stylesheet,
    accountStylesheet,
    favicon,
    touchIcon,
    revealScript,
    shapesScript,
    passwordMeter,
    passkeyScript,
    pictureScript,
    codesScript,
    authenticatedScript,
  ]) {
    scope.get(path, { schema: { hide: true } }, async (_request, reply) =>
      reply
        .headers({ 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' })
        .send(body),
    )
  }
}
