import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../audit/index.ts'
import type { ChangeFeed } from '../../changes/index.ts'
import { clientAddress, formBody, queryOf } from '../../http/index.ts'
import { isUuid } from '../../kit/index.ts'
import { ownHref } from '../../pages/index.ts'
import { endProductSessions } from '../../sessions/index.ts'
import { createGuards, type GuardDeps, type SignedInUser } from '../../sign-in/index.ts'
import { entitlementOf, userPurchaseStore } from '../../subscriptions/index.ts'
import { betaUserStore, consentStore, currentNda } from '../../users/index.ts'
import { pageOf } from '../paging.ts'
import { consentsPage } from './consents-page.ts'
import { purchasesPage } from './purchases-page.ts'
import { consentsSchema, purchasesSchema, withdrawConsentSchema } from './records-schemas.ts'

export interface RecordsDeps extends GuardDeps {
  changes: ChangeFeed
}

const CONSENTS = '/account/consents'

/** A user's purchases and agreements. */
export function recordsRoutes(scope: FastifyInstance, deps: RecordsDeps): void {
  const { requireUser } = createGuards(deps)
  scope.get('/account/purchases', { schema: purchasesSchema }, requireUser(showPurchases))
  scope.get(CONSENTS, { schema: consentsSchema }, requireUser(showConsents))
  scope.post(`${CONSENTS}/withdraw`, { schema: withdrawConsentSchema }, requireUser(withdraw))
}

async function showPurchases(
  request: FastifyRequest,
  reply: FastifyReply,
  { user }: SignedInUser,
  deps: RecordsDeps,
): Promise<FastifyReply> {
  const { storage, now, responses } = deps
  const page = await pageOf(queryOf(request), (of) => userPurchaseStore(storage.db).list(user.id, of))
  const purchases = page.shown.map((one) => ({
    ...one,
    reason: entitlementOf(one, now()).reason,
    wasGuest: one.createdAt < user.createdAt,
  }))
  const address = user.emailVerifiedAt === undefined ? 'unverified' : 'verified'
  const shown = { purchases, address, cursor: page.next, isFirst: page.isFirst } as const
  return responses.page(reply, 200, purchasesPage(responses.pageContext(request, reply), shown))
}

async function showConsents(
  request: FastifyRequest,
  reply: FastifyReply,
  { user }: SignedInUser,
  deps: RecordsDeps,
): Promise<FastifyReply> {
  const { storage, responses } = deps
  const nda = user.beta ? await betaUserStore(storage.db).findNda(user.id) : undefined
  const page = await pageOf(queryOf(request), async (of) =>
    (await consentStore(storage.db).listSharings(user.id, of)).map((sharing) => ({ ...sharing, id: sharing.productId })),
  )
  const shown = { nda, current: currentNda, sharings: page.shown, cursor: page.next, isFirst: page.isFirst }
  return responses.page(reply, 200, consentsPage(responses.pageContext(request, reply), shown))
}

/** Withdraws a consent: the product asks again, and the user is signed out of it. An unknown one changes nothing and looks the same. */
async function withdraw(request: FastifyRequest, reply: FastifyReply, { user }: SignedInUser, deps: RecordsDeps): Promise<FastifyReply> {
  const { changes, now, responses } = deps
  const productId = formBody(request)?.get('product') ?? ''
  await changes.transaction(async (tx, announce) => {
    if (!isUuid(productId) || !(await consentStore(tx).removeConsent(user.id, productId))) return
    await endProductSessions(tx, { userId: user.id, productId }, 'consent_withdrawn', { announce, now })
    const entry = { actor: `user:${user.id}`, action: 'user.withdraw_consent', target: user.id, before: { product: productId } }
    await recordAudit(tx, { ...entry, ip: clientAddress(request) }, now())
  })
  return responses.redirect(reply, ownHref(CONSENTS))
}
