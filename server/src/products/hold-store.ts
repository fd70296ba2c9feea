import type { Transaction } from '../storage/index.ts'
import type { Product } from './product.ts'
import { productStore } from './store.ts'

/** The product, its row held until the transaction ends: other changes wait, so the values read here are those that are changed. */
export async function holdProduct(tx: Transaction, id: string): Promise<Product | undefined> {
  await tx
    .updateTable('products')
    .set((e) => ({ name: e.ref('name') }))
    .where('id', '=', id)
    .execute()
  return productStore(tx).findById(id)
}
