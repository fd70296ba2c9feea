import type { FastifyInstance } from 'fastify'
import type { SignInDeps } from '../sign-in/index.ts'
import { accountRoutes } from './account-routes.ts'
import { confirmEmailRoutes } from './credentials/confirm-email-routes.ts'
import { credentialsRoutes } from './credentials/credentials-routes.ts'
import { deletionRoutes } from './deletion/deletion-routes.ts'
import { ownPasskeysRoutes } from './passkeys/passkeys-routes.ts'
import { ownRecordsRoutes } from './records/records-routes.ts'
import { twoFactorRoutes } from './second-factor/second-factor-routes.ts'
import { ownSessionsRoutes } from './sessions/sessions-routes.ts'
import { ownSettingsRoutes } from './settings/settings-routes.ts'

/** Every page of a user's own account. */
export function myAccountRoutes(scope: FastifyInstance, deps: SignInDeps): void {
  accountRoutes(scope, deps)
  credentialsRoutes(scope, deps)
  confirmEmailRoutes(scope, deps)
  ownPasskeysRoutes(scope, deps)
  twoFactorRoutes(scope, deps)
  ownSessionsRoutes(scope, deps)
  ownRecordsRoutes(scope, deps)
  ownSettingsRoutes(scope, deps)
  deletionRoutes(scope, deps)
}
