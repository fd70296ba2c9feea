import { ownHref } from '../../pages/index.ts'
import { type Product, productStore, type RedirectTarget, type Scope } from '../../products/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { consentStore } from '../../users/index.ts'
import type { Flow } from '../flow/flow.ts'
import type { SignInAttempt } from '../flow/sign-in-attempt.ts'
import type { GuardDeps } from '../guards/guard-deps.ts'

/** Whether a product has yet to show a user the data that it would receive of them. Internal products belong to the operator. */
export async function lacksConsent(userId: string, product: Product, db: Queryable): Promise<boolean> {
  if (product.audience !== 'external') return false
  const known = await consentStore(db).findConsent(userId, product.id)
  return !known || product.scopes.some((scope) => !known.includes(scope))
}

/**
 * The scopes by which a product receives data of a user now: its own, for an external one as far as the user has agreed. `undefined`
 * without a consent.
 */
export async function consentedScopes(userId: string, product: Product, db: Queryable): Promise<readonly Scope[] | undefined> {
  if (product.audience !== 'external') return product.scopes
  const known = await consentStore(db).findConsent(userId, product.id)
  return known && product.scopes.filter((scope) => known.includes(scope))
}

/** The same by ids; `undefined`: there is no such product. */
export async function sharedScopes(
  { userId, productId }: { userId: string; productId: string },
  db: Queryable,
): Promise<readonly Scope[] | undefined> {
  const product = await productStore(db).findById(productId)
  return product && ((await consentedScopes(userId, product, db)) ?? [])
}

export function sharingOf({ uri, product }: RedirectTarget) {
  return { scopes: [...product.scopes], host: new URL(uri).host || product.name, cancelUrl: ownHref('/account') }
}

/** Whether an external product is about to receive data of this user for the first time. */
export async function isFirstSharing(
  { flow, user }: SignInAttempt,
  { product }: RedirectTarget,
  { storage }: Pick<GuardDeps, 'storage'>,
): Promise<boolean> {
  if (product.audience !== 'external' || !flow.namedByKey) return false
  return (flow.openid?.asksConsent && !flow.sharingShown) || lacksConsent(user.id, product, storage.db)
}

/** Whether the splash has shown all that would be recorded as agreed to: the product may have received a scope since. */
export function isSharingShown({ sharingShown }: Flow, { scopes }: Product): boolean {
  return sharingShown !== undefined && scopes.every((scope) => sharingShown.includes(scope))
}
