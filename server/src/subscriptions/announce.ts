import type { Announce } from '../changes/index.ts'
import { sha256Base64Url } from '../kit/index.ts'

/** The subject of a change of access: a product and its own id of a user, hashed, since a product may use addresses as ids. */
export function accessSubject(productId: string, productUser: string): string {
  return sha256Base64Url(`${productId} ${productUser}`).slice(0, 22)
}

/**
 * Makes every node forget the users whom a subscription is linked to. Call it with the links before a change of them, and with those after
 * it.
 */
export function announceLinks(
  announce: Announce,
  { productId, userId, productUser }: { productId: string | undefined; userId: string | undefined; productUser: string | undefined },
): void {
  if (userId !== undefined) announce({ kind: 'user_changed', subject: userId })
  if (productId !== undefined && productUser !== undefined)
    announce({ kind: 'access_changed', subject: accessSubject(productId, productUser), access: { productId, productUser } })
}
