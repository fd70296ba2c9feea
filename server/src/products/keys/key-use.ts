import type { Storage } from '../../storage/index.ts'
import type { ProductDirectory } from '../directory.ts'
import { markKeysUsed } from './key-use-store.ts'

/**
 * Writes down when the API keys that this node has seen since the last call were last used. A failed write is made up for by the key's next
 * use.
 */
export async function writeKeysUsed(products: Pick<ProductDirectory, 'takeUsed'>, { db, address }: Storage): Promise<void> {
  const used = products.takeUsed()
  if (used.size > 0) await markKeysUsed(db, used, address)
}
