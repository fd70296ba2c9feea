import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type LookImage, ownHref } from '../../pages/index.ts'
import { createGuards, type GuardDeps, type SignedInUser } from '../../sign-in/index.ts'
import { findMaskedTaxId, ownPicturePath, readOwnTaxIdState } from '../../users/index.ts'
import { accountPage } from './account-page.ts'
import { accountSchema } from './account-schemas.ts'
import { overviewStore } from './overview-store.ts'

export interface AccountDeps extends GuardDeps {
  /** The logo that a product has of its own. */
  logoOf: (productId: string) => { light: LookImage; dark?: LookImage } | undefined
}

/** The first page of a user's own account. */
export function accountRoutes(scope: FastifyInstance, deps: AccountDeps): void {
  const { requireUser } = createGuards(deps)
  scope.get('/account', { schema: accountSchema }, requireUser(showAccount))
}

async function showAccount(
  request: FastifyRequest,
  reply: FastifyReply,
  { user, session }: SignedInUser,
  deps: AccountDeps,
): Promise<FastifyReply> {
  const { responses, storage, sealer, baseUrl, logoOf } = deps
  const now = deps.now()
  const overviews = overviewStore(storage.db)
  const shown = {
    name: user.name,
    email: user.email,
    isVerified: user.emailVerifiedAt !== undefined,
    picture: ownPicturePath(user, baseUrl),
    taxId: await findMaskedTaxId(user, { storage, sealer }),
    mayCorrectTaxId: (await readOwnTaxIdState(storage.db, user.id)).may === 'correct',
    phone: user.phone,
    companyName: user.companyName,
    planSlug: session.claims.planSlug,
    hasRole: user.role !== undefined,
    overview: await overviews.find(user.id, now),
    apps: (await overviews.listApps(user.id, { now, baseUrl })).map(({ id, ...app }) => ({ ...app, logo: logoOf(id) })),
    now,
    signOutUrl: ownHref('/auth/signout'),
  }
  return responses.page(reply, 200, accountPage(responses.pageContext(request, reply), shown))
}
