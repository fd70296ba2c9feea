import type { FastifyInstance } from 'fastify'
import type { GuardDeps } from '../sign-in/index.ts'
import { type ConfirmEmailDeps, confirmEmailRoutes } from './credentials/confirm-email-routes.ts'
import type { CredentialsDeps } from './credentials/credentials-deps.ts'
import { credentialsRoutes } from './credentials/credentials-routes.ts'
import { type DeletionDeps, deletionRoutes } from './deletion/deletion-routes.ts'
import { type AccountDeps, accountRoutes } from './overview/account-routes.ts'
import type { PasskeysDeps } from './passkeys/passkey-answer-routes.ts'
import { passkeysRoutes } from './passkeys/passkeys-routes.ts'
import type { OwnProfileDeps } from './profile/profile-answer-routes.ts'
import { ownProfileRoutes } from './profile/profile-routes.ts'
import { type OwnTaxIdDeps, ownTaxIdRoutes } from './profile/tax-id-routes.ts'
import { type RecordsDeps, recordsRoutes } from './records/records-routes.ts'
import type { SecondFactorSettingsDeps } from './second-factor/second-factor-answer-routes.ts'
import { secondFactorSettingsRoutes } from './second-factor/second-factor-routes.ts'
import { type SessionsDeps, sessionsRoutes } from './sessions/sessions-routes.ts'
import type { SettingsDeps } from './settings/settings-deps.ts'
import { settingsRoutes } from './settings/settings-routes.ts'

/** The deps of all journeys together, as the wiring gives them. */
type MyAccountDeps = GuardDeps &
  AccountDeps &
  OwnProfileDeps &
  OwnTaxIdDeps &
  ConfirmEmailDeps &
  CredentialsDeps &
  PasskeysDeps &
  SecondFactorSettingsDeps &
  SessionsDeps &
  RecordsDeps &
  SettingsDeps &
  DeletionDeps

/** Every page of a user's own account. */
export function myAccountRoutes(scope: FastifyInstance, deps: MyAccountDeps): void {
  accountRoutes(scope, deps)
  ownProfileRoutes(scope, deps)
  ownTaxIdRoutes(scope, deps)
  credentialsRoutes(scope, deps)
  confirmEmailRoutes(scope, deps)
  passkeysRoutes(scope, deps)
  secondFactorSettingsRoutes(scope, deps)
  sessionsRoutes(scope, deps)
  recordsRoutes(scope, deps)
  settingsRoutes(scope, deps)
  deletionRoutes(scope, deps)
}
