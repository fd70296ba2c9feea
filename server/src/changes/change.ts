/** A change that may outdate a node's memory. The subject is an id or a hash, never personal. */
export interface Change {
  kind:
    | 'session_ended'
    | 'user_changed'
    | 'product_changed'
    | 'access_changed'
    | 'signing_keys_changed'
    | 'appearance_changed'
    | 'providers_changed'
    | 'copy_changed'
  subject: string
  /** The users whose access may change, if the subject does not say. It stays in the process: the feed's rows hold nothing personal. */
  access?: ChangedAccess
}

/** The access of one user, whom the product names, or of all users of one product or of every product. */
export type ChangedAccess = { productId: string; productUser: string } | { productId: string } | { products: 'all' }

/** A follower gets one for each change; `everything_changed` when the node lost sight of the feed for longer than the feed is kept. */
export type ChangeEvent = Change | { kind: 'everything_changed' }

const KINDS: ReadonlySet<string> = new Set<Change['kind']>([
  'session_ended',
  'user_changed',
  'product_changed',
  'access_changed',
  'signing_keys_changed',
  'appearance_changed',
  'providers_changed',
  'copy_changed',
])

/** A row's kind. An unknown one belongs to a newer version that runs beside this one, and concerns none of our caches. */
export function isKnownKind(kind: string): kind is Change['kind'] {
  return KINDS.has(kind)
}
