import type { FastifyInstance } from 'fastify'
import { createGuards } from '../../sign-in/index.ts'
import { DATA, download, showData } from './data-routes.ts'
import { LANGUAGE, saveLanguage, showLanguage } from './language-routes.ts'
import { dataSchema, exportSchema } from './personal-data-schema.ts'
import { PROVIDERS, showProviders, unlink } from './providers-routes.ts'
import type { SettingsDeps } from './settings-deps.ts'
import { languageSchema, providersSchema, saveLanguageSchema, unlinkProviderSchema } from './settings-schemas.ts'

/**
 * The language of pages and mails, the linked providers, and the download of the user's data. The last two need a recent authentication.
 */
export function settingsRoutes(scope: FastifyInstance, deps: SettingsDeps): void {
  const { countChange, requireRecentAuth, requireUser } = createGuards(deps)
  scope.get(LANGUAGE, { schema: languageSchema }, requireUser(showLanguage))
  scope.post(LANGUAGE, { schema: saveLanguageSchema }, requireUser(saveLanguage))
  scope.get(PROVIDERS, { schema: providersSchema }, requireUser(showProviders))
  scope.post(`${PROVIDERS}/unlink`, { schema: unlinkProviderSchema }, requireRecentAuth(countChange(unlink)))
  scope.get(DATA, { schema: dataSchema }, requireUser(showData))
  scope.post(DATA, { schema: exportSchema }, requireRecentAuth(download))
}
