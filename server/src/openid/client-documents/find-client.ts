import type { OpenIdClient, ProductDirectory } from '../../products/index.ts'
import type { Storage } from '../../storage/index.ts'
import { describedClientStore } from './described-client-store.ts'
import type { ClientDocuments } from './fetch-document.ts'

/** A client as requests name it: a product, or one that describes itself and is taken in a product's name. */
export interface Client extends OpenIdClient {
  /** Where it describes itself; that is its client id. */
  address?: URL | undefined
}

export interface FindClientDeps {
  products: ProductDirectory
  /** Absent while the experiment is off. */
  documents: ClientDocuments | undefined
  storage: Pick<Storage, 'db'>
}

/** A client that describes itself is looked up each time: one that the operator has refused is no client. */
export async function findClient(clientId: string, { products, documents, storage }: FindClientDeps): Promise<Client | undefined> {
  const clients = await products.openIdClients()
  const registered = clients.get(clientId)
  if (registered) return registered
  const address = documents?.addressOf(clientId)
  if (!address || (await describedClientStore(storage.db).isRefused(address.href))) return undefined
  // One product at most; of two that were changed at once, every node takes the same.
  const [taker] = [...clients.values()].filter(({ product }) => product.openid.takesDocuments).sort(byId)
  return taker && { ...taker, redirectUris: [], address }
}

const byId = (one: OpenIdClient, other: OpenIdClient) => (one.product.id < other.product.id ? -1 : 1)
