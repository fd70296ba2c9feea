import { listAccessOfUser } from '../../access/index.ts'
import { isoTime } from '../../kit/index.ts'
import { listHistories } from '../../payment-history/index.ts'
import { productStore } from '../../products/index.ts'
import { planStore, subscriptionStore } from '../../subscriptions/index.ts'
import { findTaxId, type User } from '../../users/index.ts'
import type { AdminAnswer } from '../api/admin-route.ts'
import { type Caller, mayAlso } from '../api/caller.ts'
import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { findPossiblePurchases } from '../buyers/possible-purchases.ts'
import { withUser } from '../users/show-user.ts'
import { type Known, productJson, purchaseJson } from './access-json.ts'
import { userAccessExample, userAccessSchema } from './access-schemas.ts'

/** Why somebody has access, or none: the first question that support is asked. */
export function accessAdminRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/users/:id/access',
    operationId: 'showUserAccess',
    summary: "Show a user's access to each product, why, and what it rests on",
    description:
      'By the rules of check-access. With purchases that may be theirs though they are not linked, each with the evidence. ' +
      'A script sees notifications and compares users as far as its scopes let it read them.',
    may: 'subscriptions:read',
    personal: ['email'],
    answer: { description: 'The access', schema: userAccessSchema, example: userAccessExample },
    refuses: ['not_found'],
    work: ({ id, caller }) => withUser(id, deps, (user) => showAccess(user, caller, deps)),
  })
}

async function showAccess(user: User, caller: Caller, deps: AdminDeps): Promise<AdminAnswer> {
  const { db } = deps.storage
  const now = deps.now()
  const own = await listAccessOfUser(db, user.id, now)
  const possible = await readPossible(user, caller, deps)
  const decisive = await subscriptionStore(db).listByIds(own.map(({ subscriptionId }) => subscriptionId))
  const byId = new Map(decisive.map((subscription) => [subscription.id, subscription]))
  const all = [...decisive, ...possible.purchases.map(({ subscription }) => subscription)]
  const known = await readKnown([...new Set(all.map(({ streamId }) => streamId))], now, deps)
  return {
    body: {
      locked: user.disabledAt !== undefined,
      address_verified: user.emailVerifiedAt !== undefined,
      products: own.flatMap(({ subscriptionId, others }) => {
        const subscription = byId.get(subscriptionId)
        return subscription ? [{ ...purchaseJson(subscription, known), others }] : []
      }),
      unlinked: possible.purchases.map(({ subscription, because }) => ({
        ...purchaseJson(subscription, known),
        email: subscription.email ?? null,
        user_id: subscription.userId ?? null,
        link_closed_at: isoTime(subscription.linkClosedAt),
        because,
      })),
      waiting: possible.waiting.map(({ notification: { id, source, event, status, why, productId, receivedAt }, because }) => ({
        notification_id: id,
        ...{ source, event, status, why: why ?? null },
        ...productJson(productId, known),
        received_at: isoTime(receivedAt),
        because,
      })),
    },
  }
}

/** A viewer compares by the address alone, which they may search for; so does a script that reads no users. */
async function readPossible(user: User, caller: Caller, { storage, sealer }: AdminDeps) {
  const isNarrow = caller.role === 'viewer' || !mayAlso(caller, 'users:read')
  const found = isNarrow ? undefined : await findTaxId(user, { storage, sealer })
  const taxId = found !== undefined && found !== 'unreadable' && 'digits' in found ? found.digits : undefined
  const possible = await findPossiblePurchases({ user, taxId, by: isNarrow ? 'address' : 'everything' }, storage.db)
  return { ...possible, waiting: mayAlso(caller, 'notifications:read') ? possible.waiting : [] }
}

/** All plans and products: an operator has few of each. */
async function readKnown(streamIds: readonly string[], now: number, { storage: { db } }: Pick<AdminDeps, 'storage'>): Promise<Known> {
  const plans = await planStore(db).list()
  const products = await productStore(db).listNames()
  return {
    plans: new Map(plans.map((plan) => [plan.id, plan])),
    products: new Map(products.map((product) => [product.id, product])),
    histories: await listHistories(db, streamIds),
    now,
  }
}
