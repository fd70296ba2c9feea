import { type ChangeFeed, createMemory } from '../changes/index.ts'
import { BoundedMap, type Now, parseKeyKind, sha256Hex } from '../kit/index.ts'
import type { Storage } from '../storage/index.ts'
import { apiKeyStore } from './keys/api-key-store.ts'
import type { OpenIdClient, Product } from './product.ts'
import { checkedTarget, type RedirectTarget } from './redirect-target.ts'
import { redirectUriStore } from './redirect-uri-store.ts'
import { type ProductStore, productStore } from './store.ts'

const MAX_KEYS = 1_000

/** Finds products for requests. API keys are remembered, so that a check with a key needs no query. */
export interface ProductDirectory {
  findById(id: string): Promise<Product | undefined>
  findByPublishableKey(key: string): Promise<Product | undefined>
  /** The product of a live API key; `undefined` for any other text, a key of another kind included. */
  findByApiKey(key: string | undefined): Promise<Product | undefined>
  /** The answer for a remembered API key; asks no database. */
  rememberedByApiKey(key: string): Product | undefined
  /** The target registered with exactly these bytes. */
  findTarget(uri: string): Promise<RedirectTarget | undefined>
  hasLiveApiKey(productId: string): Promise<boolean>
  /** The products that speak OpenID Connect, by their publishable keys. Remembered. */
  openIdClients(): Promise<ReadonlyMap<string, OpenIdClient>>
  /**
   * The target of an authorization request, whose redirect URI was found allowed then. `undefined` where the product no longer speaks
   * OpenID Connect.
   */
  openIdTarget(productId: string, uri: string): Promise<RedirectTarget | undefined>
  /** The address to which a sign-out may lead, if it is registered for this client with exactly these bytes. */
  postLogoutTarget(publishableKey: string, uri: string): Promise<RedirectTarget | undefined>
  /** Whether any product is notified of ended sessions. Remembered. */
  notifiesAnyOfSignOuts(): Promise<boolean>
  /** The origins of all registered redirect URIs, to which a sign-out may lead. */
  redirectOrigins(): Promise<ReadonlySet<string>>
  /** The last use of each API key that was used since the last call, in ms by its hash; these are forgotten then. */
  takeUsed(): Map<string, number>
}

/** A remembered API key. Noting its use costs an assignment, as with sessions (decision 72). */
interface Known {
  hash: string
  product: Product
  usedAt: number
}

export function createProductDirectory({ storage, changes, now }: { storage: Storage; changes: ChangeFeed; now: Now }): ProductDirectory {
  const store: ProductStore = productStore(storage.db)
  /** Last uses of keys that memory has dropped since. */
  let used = new Map<string, number>()
  const keepUsed = ({ hash, usedAt }: Known) => {
    if (usedAt > (used.get(hash) ?? 0) && (used.size < MAX_KEYS || used.has(hash))) used.set(hash, usedAt)
  }
  const byKeyHash = new BoundedMap<string, Known>(MAX_KEYS, keepUsed)
  const recall = (hash: string) => {
    const known = byKeyHash.get(hash)
    if (known) known.usedAt = now()
    return known?.product
  }
  const untilChanged = { changes, kind: 'product_changed' } as const
  const clients = createMemory<ReadonlyMap<string, OpenIdClient>>(
    async () => new Map((await store.listOpenIdClients()).map((client) => [client.product.publishableKey, client])),
    untilChanged,
  )
  const origins = createMemory<ReadonlySet<string>>(
    async () =>
      new Set(
        (await redirectUriStore(storage.db).listAllRedirectUris()).map((uri) => new URL(uri).origin).filter((origin) => origin !== 'null'),
      ),
    untilChanged,
  )
  let generation = 0
  changes.follow(({ kind }) => {
    if (kind !== 'product_changed' && kind !== 'everything_changed') return
    generation++
    for (const known of byKeyHash.values()) keepUsed(known)
    byKeyHash.clear()
  })
  return {
    findById: store.findById,
    findByPublishableKey: async (key) => (parseKeyKind(key) === 'pk' ? store.findByPublishableKey(key) : undefined),
    rememberedByApiKey: (key) => recall(sha256Hex(key)),
    async findByApiKey(key) {
      if (key === undefined || parseKeyKind(key) !== 'sk') return undefined
      const hash = sha256Hex(key)
      const remembered = recall(hash)
      if (remembered) return remembered
      const before = generation
      const product = await store.findByApiKey(key)
      const known = product && { hash, product, usedAt: now() }
      if (known && generation === before) byKeyHash.set(hash, known)
      else if (known) keepUsed(known)
      return product
    },
    async findTarget(uri) {
      if (!/^https?:/.test(uri)) return undefined // a scheme of an app's own, which only an authorization request may name
      if (/\p{Cc}/u.test(uri)) return undefined // can't be registered, and PostgreSQL refuses a null byte
      const found = await redirectUriStore(storage.db).findRedirectUri(uri)
      // Compared once more: a database whose text columns fold case would otherwise weaken the rule unnoticed.
      return found && found.uri === uri ? checkedTarget(uri, found.product, found.trusted) : undefined
    },
    hasLiveApiKey: apiKeyStore(storage.db).hasLiveApiKey,
    openIdClients: clients.get,
    async openIdTarget(productId, uri) {
      const product = await store.findById(productId)
      return product?.openid && checkedTarget(uri, product, false)
    },
    async postLogoutTarget(key, uri) {
      const client = (await clients.get()).get(key)
      return client?.product.openid.postLogoutUris.includes(uri) ? checkedTarget(uri, client.product, false) : undefined
    },
    notifiesAnyOfSignOuts: createMemory(store.hasLogoutAddress, untilChanged).get,
    redirectOrigins: origins.get,
    takeUsed() {
      for (const known of byKeyHash.values()) {
        keepUsed(known)
        known.usedAt = 0
      }
      const taken = used
      used = new Map()
      return taken
    },
  }
}
