import type { Product } from '../products/index.ts'

/** `client_id` of access tokens of the domain's own sessions. */
export const INTERNAL_CLIENT = 'internal'
export const SCOPE = 'profile email'

/** The audience of the sessions a caller may speak of: an external product's own, in every other case the domain's. */
export function sessionAudience(product: Product | undefined, issuer: string): string {
  return product?.audience === 'external' ? product.id : issuer
}
