/** The users who may enter the hosts of a product: everyone who is signed in, with any plan, or with one of its `plans`. */
export const FORWARD_ACCESS = ['signed_in', 'any_plan', 'plans'] as const
export type ForwardAccess = (typeof FORWARD_ACCESS)[number]

/** A product behind a proxy that asks Portaria before each request (decision 160). */
export interface ForwardAuth {
  access: ForwardAccess
  /** Slugs of plans; empty unless `access` is `plans`. */
  plans: readonly string[]
  /** With their port, where it is not the usual one of the service's scheme. */
  hosts: readonly string[]
}
