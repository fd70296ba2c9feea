import type { FastifyInstance } from 'fastify'
import { createGuards } from '../guards/guards.ts'
import { showCode, takeCode } from './sign-up-code-routes.ts'
import type { SignUpDeps } from './sign-up-deps.ts'
import { beginSignUpMail, showSignUp } from './sign-up-form-routes.ts'
import { showLink, takeLink } from './sign-up-link-routes.ts'
import { codeFormSchema, codeSchema, linkPageSchema, linkSchema, signUpFormSchema, signUpSchema } from './sign-up-schemas.ts'

export function signUpRoutes(scope: FastifyInstance, deps: SignUpDeps): void {
  const { flowForm, flowPage, mailedLink } = createGuards(deps)
  scope.get('/sign-up', { schema: signUpFormSchema }, flowPage(showSignUp))
  scope.post('/sign-up', { schema: signUpSchema }, flowForm(beginSignUpMail))
  scope.get('/check-mail', { schema: codeFormSchema }, (request, reply) => showCode(request, reply, deps))
  scope.post('/check-mail', { schema: codeSchema }, flowForm(takeCode))
  scope.get('/verify', { schema: linkPageSchema }, mailedLink('sign_up', showLink))
  scope.post('/verify', { schema: linkSchema }, mailedLink('sign_up', takeLink))
}
