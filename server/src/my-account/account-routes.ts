import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ownHref } from '../pages/index.ts'
import { createGuards, type GuardDeps, type SignedInUser } from '../sign-in/index.ts'
import { findMaskedTaxId } from '../users/index.ts'
import { accountPage } from './account-page.ts'
import { accountSchema } from './schemas.ts'

/** The first page of a user's own account. */
export function accountRoutes(scope: FastifyInstance, deps: GuardDeps): void {
  const { requireUser } = createGuards(deps)
  scope.get('/account', { schema: accountSchema }, requireUser(showAccount))
}

async function showAccount(
  request: FastifyRequest,
  reply: FastifyReply,
  { user, session }: SignedInUser,
  deps: GuardDeps,
): Promise<FastifyReply> {
  const { responses, storage, sealer } = deps
  const shown = {
    name: user.name,
    email: user.email,
    taxId: await findMaskedTaxId(user, { storage, sealer }),
    phone: user.phone,
    companyName: user.companyName,
    planSlug: session.claims.planSlug,
    hasRole: user.role !== undefined,
    signOutUrl: ownHref('/auth/signout'),
  }
  return responses.page(reply, 200, accountPage(responses.pageContext(request, reply), shown))
}
