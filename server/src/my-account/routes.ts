import type { FastifyInstance } from 'fastify'
import type { SignInDeps } from '../sign-in/index.ts'
import { accountRoutes } from './account-routes.ts'
import { confirmEmailRoutes } from './credentials/confirm-email-routes.ts'
import { credentialsRoutes } from './credentials/credentials-routes.ts'
import { deletionRoutes } from './deletion/deletion-routes.ts'
import { passkeysRoutes } from './passkeys/passkeys-routes.ts'
import { recordsRoutes } from './records/records-routes.ts'
import { secondFactorSettingsRoutes } from './second-factor/second-factor-routes.ts'
import { sessionsRoutes } from './sessions/sessions-routes.ts'
import { settingsRoutes } from './settings/settings-routes.ts'

/** Every page of a user's own account. */
export function myAccountRoutes(scope: FastifyInstance, deps: SignInDeps): void {
  accountRoutes(scope, deps)
  credentialsRoutes(scope, deps)
  confirmEmailRoutes(scope, deps)
  passkeysRoutes(scope, deps)
  secondFactorSettingsRoutes(scope, deps)
  sessionsRoutes(scope, deps)
  recordsRoutes(scope, deps)
  settingsRoutes(scope, deps)
  deletionRoutes(scope, deps)
}
