import type { ChangeFeed } from '../changes/index.ts'
import { BoundedMap, parseKeyKind, type Sealer, sha256Hex } from '../kit/index.ts'
import { type Gateway, gatewayCredentialsStore, type Product, productStore } from '../products/index.ts'
import type { Storage } from '../storage/index.ts'
import { adapters } from './adapters.ts'
import type { GatewayAdapter, GatewayCredentials } from './gateway.ts'

/** A product's account at one gateway. */
export interface MerchantAccount {
  gateway: Gateway
  adapter: GatewayAdapter
  product: Product
  credentials: GatewayCredentials
}

export interface MerchantAccounts {
  /** The gateway of this name, if this installation speaks with it. */
  gateway(name: string): Gateway | undefined
  /** The account of a delivery's address, by the webhook key in it. Remembered until a product changes. */
  find(gateway: Gateway, webhookKey: string): Promise<MerchantAccount | 'unknown_key' | 'no_credentials'>
  /** The account of a product, for a job. */
  findOf(gateway: string, productId: string): Promise<MerchantAccount | undefined>
}

const MAX_REMEMBERED = 1_000

interface MerchantAccountDeps {
  storage: Storage
  changes: ChangeFeed
  sealer: Sealer
  /** The gateways that this installation supports. */
  gateways: readonly Gateway[]
}

export function createMerchantAccounts({ storage, changes, sealer, gateways }: MerchantAccountDeps): MerchantAccounts {
  const byKey = new BoundedMap<string, MerchantAccount>(MAX_REMEMBERED)
  let generation = 0
  changes.follow(({ kind }) => {
    if (kind !== 'product_changed' && kind !== 'everything_changed') return
    generation++
    byKey.clear()
  })
  const named = (name: string) => gateways.find((gateway) => gateway === name)
  const open = async (gateway: Gateway, product: Product): Promise<MerchantAccount | undefined> => {
    const credentials = await gatewayCredentialsStore(storage.db).find(product.id, gateway, sealer)
    return credentials && { gateway, adapter: adapters[gateway], product, credentials }
  }
  return {
    gateway: named,
    async find(gateway, webhookKey) {
      const hash = `${gateway} ${sha256Hex(webhookKey)}`
      const known = byKey.get(hash)
      if (known) return known
      if (parseKeyKind(webhookKey) !== 'wk') return 'unknown_key'
      const before = generation
      const product = await productStore(storage.db).findByWebhookKey(webhookKey)
      if (!product) return 'unknown_key'
      const account = await open(gateway, product)
      if (!account) return 'no_credentials'
      if (generation === before) byKey.set(hash, account)
      return account
    },
    async findOf(name, productId) {
      const gateway = named(name)
      const product = gateway && (await productStore(storage.db).findById(productId))
      return product && open(gateway, product)
    },
  }
}
