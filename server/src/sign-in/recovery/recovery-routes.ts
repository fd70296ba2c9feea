import type { FastifyInstance } from 'fastify'
import { createGuards } from '../guards/guards.ts'
import { NEW_PASSWORD, setNewPassword, showNewPassword } from './new-password-routes.ts'
import { sendRecovery, showRecover } from './recover-routes.ts'
import type { RecoveryDeps } from './recovery-deps.ts'
import { newPasswordSchemas, recoverFormSchema, recoverSchema, reportSignInPageSchema, reportSignInSchema } from './recovery-schemas.ts'
import { reportThisSignIn, showReport } from './report-sign-in-routes.ts'

export function recoveryRoutes(scope: FastifyInstance, deps: RecoveryDeps): void {
  const { flowForm, flowPage, mailedLink } = createGuards(deps)
  scope.get('/recover', { schema: recoverFormSchema }, flowPage(showRecover))
  scope.post('/recover', { schema: recoverSchema }, flowForm(sendRecovery))
  for (const purpose of ['reset_password', 'invitation'] as const) {
    const { form, save } = newPasswordSchemas[purpose]
    scope.get(NEW_PASSWORD[purpose], { schema: form }, mailedLink(purpose, showNewPassword))
    scope.post(NEW_PASSWORD[purpose], { schema: save }, mailedLink(purpose, setNewPassword))
  }
  scope.get('/report-sign-in', { schema: reportSignInPageSchema }, mailedLink('report_sign_in', showReport))
  scope.post('/report-sign-in', { schema: reportSignInSchema }, (request, reply) => reportThisSignIn(request, reply, deps))
}
