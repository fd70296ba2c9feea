import type { FastifyInstance } from 'fastify'
import { ownHref } from '../../pages/index.ts'
import { createGuards } from '../../sign-in/index.ts'
import { beginConfirmation, beginEmail, showEmail } from './change-email-routes.ts'
import { savePassword, showPassword } from './change-password-routes.ts'
import type { CredentialsDeps } from './credentials-deps.ts'
import {
  changePasswordAddressSchema,
  confirmOwnEmailSchema,
  emailFormSchema,
  emailSchema,
  passwordFormSchema,
  passwordSchema,
} from './credentials-schemas.ts'

/** Changing one's password and address, with a recent authentication, and confirming the address that one has. */
export function credentialsRoutes(scope: FastifyInstance, deps: CredentialsDeps): void {
  const { countChange, requireRecentAuth, requireUser } = createGuards(deps)
  scope.get('/account/password', { schema: passwordFormSchema }, requireRecentAuth(showPassword))
  scope.post('/account/password', { schema: passwordSchema }, requireRecentAuth(countChange(savePassword)))
  scope.get('/.well-known/change-password', { schema: changePasswordAddressSchema }, async (_request, reply) =>
    deps.responses.redirect(reply, ownHref('/account/password')),
  )
  scope.get('/account/email', { schema: emailFormSchema }, requireRecentAuth(showEmail))
  scope.post('/account/email', { schema: emailSchema }, requireRecentAuth(beginEmail))
  scope.post('/account/email/confirm', { schema: confirmOwnEmailSchema }, requireUser(beginConfirmation))
}
