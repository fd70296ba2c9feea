import type { Transaction } from '../storage/index.ts'
import type { Product } from './product.ts'
import { productStore } from './store.ts'

/** The product, held until the transaction ends: whoever changes it meanwhile waits, so what is read here is what is changed. */
export async function holdProduct(tx: Transaction, id: string): Promise<Product | undefined> {
  await tx
    .updateTable('products')
    .set((e) => ({ name: e.ref('name') }))
    .where('id', '=', id)
    .execute()
  return productStore(tx).findById(id)
}
