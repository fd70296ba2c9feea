import type { ChangeFeed } from '../changes/index.ts'
import { BoundedMap, parseKeyKind, sha256Hex } from '../kit/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Product } from './product.ts'
import { checkedTarget, type RedirectTarget } from './redirect-target.ts'
import { type ProductStore, productStore } from './store.ts'

const MAX_KEYS = 1_000

/** Finds products for requests. API keys are remembered, so that a check with a key asks the database nothing. */
export interface ProductDirectory {
  findById(id: string): Promise<Product | undefined>
  findByPublishableKey(key: string): Promise<Product | undefined>
  /** The product of a live API key; anything else, a key of another kind among them, is `undefined`. */
  findByApiKey(key: string | undefined): Promise<Product | undefined>
  /** The answer for an API key that this node remembers; asks no database. */
  rememberedByApiKey(key: string): Product | undefined
  /** The target registered with exactly these bytes. */
  findTarget(uri: string): Promise<RedirectTarget | undefined>
  hasLiveApiKey(productId: string): Promise<boolean>
  /** The origins of all registered redirect URIs, to which a sign-out may lead. */
  redirectOrigins(): Promise<ReadonlySet<string>>
}

export function createProductDirectory({ storage, changes }: { storage: Storage; changes: ChangeFeed }): ProductDirectory {
  const store: ProductStore = productStore(storage.db)
  const byKeyHash = new BoundedMap<string, Product>(MAX_KEYS)
  let origins: ReadonlySet<string> | undefined
  let generation = 0
  changes.follow(({ kind }) => {
    if (kind !== 'product_changed' && kind !== 'everything_changed') return
    generation++
    byKeyHash.clear()
    origins = undefined
  })
  return {
    findById: store.findById,
    findByPublishableKey: async (key) => (parseKeyKind(key) === 'pk' ? store.findByPublishableKey(key) : undefined),
    rememberedByApiKey: (key) => byKeyHash.get(sha256Hex(key)),
    async findByApiKey(key) {
      if (key === undefined || parseKeyKind(key) !== 'sk') return undefined
      const hash = sha256Hex(key)
      const known = byKeyHash.get(hash)
      if (known) return known
      const before = generation
      const product = await store.findByApiKey(key)
      if (product && generation === before) byKeyHash.set(hash, product)
      return product
    },
    async findTarget(uri) {
      if (/\p{Cc}/u.test(uri)) return undefined // can't be registered, and a null byte is an error to PostgreSQL
      const found = await store.findRedirectUri(uri)
      // Compared once more here: a database whose text columns fold case would otherwise loosen the rule unseen.
      return found && found.uri === uri ? checkedTarget(uri, found.product, found.trusted) : undefined
    },
    hasLiveApiKey: store.hasLiveApiKey,
    async redirectOrigins() {
      if (origins) return origins
      const before = generation
      const found = new Set((await store.listAllRedirectUris()).map((uri) => new URL(uri).origin))
      if (generation === before) origins = found
      return found
    },
  }
}
