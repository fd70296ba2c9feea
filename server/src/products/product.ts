import { versionOf } from '../kit/index.ts'
import type { ProfileRequirements } from '../users/index.ts'
import type { ForwardAuth } from './forward-auth/forward-auth.ts'
import type { GraceDays } from './grace-store.ts'
import type { OpenIdSettings } from './openid/openid-settings.ts'
import type { PaymentMethod } from './payment-methods.ts'

/** A registered app. `internal` apps share the operator's session; an `external` app only ever holds tokens of its own. */
export interface Product {
  id: string
  slug: string
  name: string
  audience: 'internal' | 'external'
  /** `integrated`: the operator sells; `external`: the product has its own checkout and sends us its payments by webhook. */
  checkout: 'integrated' | 'external'
  /** The parameter that an internal product's target receives; an external one always receives `eg_token`. */
  handoff: 'eg_session' | 'eg_token'
  scopes: readonly Scope[]
  publishableKey: string
  /** Whether the API key may also be a query parameter (check-access), where other parties' logs may contain it. */
  queryKeyAllowed: boolean
  /** The data that it requires of its users. */
  requirements: ProfileRequirements
  /** Set where it signs users in by OpenID Connect. */
  openid: OpenIdSettings | undefined
  /** The address that is notified of each ended session (Back-Channel Logout 1.0). */
  backchannelLogoutUri: string | undefined
  createdAt: number
}

/** A product that signs users in by OpenID Connect, with all that a client's registration there has. */
export interface OpenIdClient {
  product: Product & { openid: OpenIdSettings }
  redirectUris: readonly string[]
}

/** A product with all that is changed together with it. */
export interface ProductSettings {
  product: Product
  redirectUris: ReadonlyArray<{ uri: string; trusted: boolean }>
  paymentMethods: readonly PaymentMethod[]
  graceDays: GraceDays
  /** `undefined`: no proxy may ask for it. */
  forwardAuth: ForwardAuth | undefined
}

/** A hash of the present state: it shows whether an editor's copy is out of date. */
export function productVersion({ product, redirectUris, paymentMethods, graceDays, forwardAuth }: ProductSettings): string {
  return versionOf({ product, redirectUris, paymentMethods, graceDays, ...(forwardAuth && { forwardAuth }) })
}

export const SCOPES = ['read:email', 'read:profile'] as const

export type Scope = (typeof SCOPES)[number]

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text)
}
