import { versionOf } from '../kit/index.ts'
import type { ProfileRequirements } from '../users/index.ts'
import type { GraceDays } from './grace-store.ts'
import type { PaymentMethod } from './payment-methods.ts'

/** A registered app. `internal` apps share the operator's session; an `external` one only ever holds tokens of its own. */
export interface Product {
  id: string
  slug: string
  name: string
  audience: 'internal' | 'external'
  /** `integrated`: the operator sells; `external`: the product has its own checkout and tells us of payments by webhook. */
  checkout: 'integrated' | 'external'
  /** What an internal product's target receives; an external one's is always `eg_token`. */
  handoff: 'eg_session' | 'eg_token'
  scopes: readonly Scope[]
  publishableKey: string
  /** Whether the API key may also travel as a query input (check-access), where logs of others may see it. */
  queryKeyAllowed: boolean
  /** What it asks of whoever signs in to it. */
  requirements: ProfileRequirements
  createdAt: number
}

/** A product with what is changed together with it. */
export interface ProductSettings {
  product: Product
  redirectUris: ReadonlyArray<{ uri: string; trusted: boolean }>
  paymentMethods: readonly PaymentMethod[]
  graceDays: GraceDays
}

/** A name for these as they are now: another one as soon as anything of them changes. What an editor has seen is told by it. */
export function productVersion({ product, redirectUris, paymentMethods, graceDays }: ProductSettings): string {
  return versionOf({ product, redirectUris, paymentMethods, graceDays })
}

export const SCOPES = ['read:email', 'read:profile'] as const
export type Scope = (typeof SCOPES)[number]

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text)
}

/** What can be shown of an API key: the key itself is stored as a hash. */
export interface ApiKeyInfo {
  id: string
  hint: string
  createdAt: number
  revokedAt: number | undefined
  /** Within some minutes; `undefined`: not since this is noted. */
  lastUsedAt: number | undefined
}

/** A webhook key can be shown again: it is part of an address that the operator types into a gateway's dashboard. */
export interface WebhookKeyInfo {
  id: string
  key: string
  createdAt: number
  revokedAt: number | undefined
}
