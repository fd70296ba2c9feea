import type { ProductDirectory, Scope } from '../../products/index.ts'
import { INTERNAL_CLIENT } from '../audience.ts'
import type { LiveSession } from '../session.ts'

/**
 * Answers which scopes the client of a token may read at this moment; `undefined` where it may have no token any more. A token of our own
 * exchange names a product's id or nobody. Every other token names a client of OpenID Connect, whose product may have changed since: it may
 * have lost a scope, been turned off, become another kind of app, or take no more clients that describe themselves.
 */
export async function readableBy(
  clientId: string | undefined,
  session: LiveSession,
  products: ProductDirectory,
): Promise<((scope: Scope) => boolean) | undefined> {
  if (clientId === undefined || clientId === (session.productId ?? INTERNAL_CLIENT)) return () => true
  const clients = [...(await products.openIdClients()).values()]
  const product = clients.find((client) => client.product.id === session.productId)?.product
  if (!product || session.openIdSince !== product.openid.since) return undefined
  return (scope) => product.scopes.includes(scope)
}

/** The claims that the token's scopes give, of those that its client may read; a token of our own exchange has `profile` and `email`. */
export function profileOf({ userId, claims }: LiveSession, scopes: readonly string[], mayRead: (scope: Scope) => boolean) {
  const showsProfile = scopes.includes('profile') && mayRead('read:profile')
  return {
    id: userId,
    email: scopes.includes('email') && mayRead('read:email') ? (claims.email ?? null) : null,
    name: showsProfile ? claims.name : null,
    avatar_url: showsProfile ? (claims.avatarUrl ?? null) : null,
    plan: scopes.includes('profile') || scopes.includes('portaria') ? (claims.planSlug ?? null) : null,
  }
}
