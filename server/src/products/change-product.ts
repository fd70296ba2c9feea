import { type Actor, recordAudit } from '../audit/index.ts'
import type { ChangeFeed } from '../changes/index.ts'
import type { Now } from '../kit/index.ts'
import { type ProductRefusal, refuseProduct, rollBackRefusals } from './create-product.ts'
import type { PaymentMethod } from './payment-methods.ts'
import type { Product } from './product.ts'
import { productStore } from './store.ts'

/** What may be changed; absent stays as it is. Neither id nor audience changes: tokens and sessions were made for them. */
export interface ProductChange {
  name?: string
  checkout?: Product['checkout']
  handoff?: Product['handoff']
  scopes?: Product['scopes']
  queryKeyAllowed?: boolean
  addUris?: ReadonlyArray<{ uri: string; trusted: boolean }>
  removeUris?: readonly string[]
  paymentMethods?: readonly PaymentMethod[]
}

export async function changeProduct(
  slug: string,
  change: ProductChange,
  { changes, now, actor }: { changes: ChangeFeed; now: Now; actor: Actor },
): Promise<Product | ProductRefusal> {
  const at = now()
  const { addUris = [], removeUris = [], paymentMethods, ...fields } = change
  return rollBackRefusals((refuse) =>
    changes.transaction(async (tx, announce) => {
      const products = productStore(tx)
      const before = (await products.findBySlug(slug)) ?? refuse({ refusal: 'not_found' })
      const after: Product = { ...before, ...fields }
      const refused = refuseProduct({ ...after, redirectUris: addUris })
      if (refused) refuse(refused)
      await products.update(after, at)
      for (const uri of removeUris) if (!(await products.removeRedirectUri(before.id, uri))) refuse({ refusal: 'not_found' })
      for (const { uri, trusted } of addUris) {
        if (!(await products.addRedirectUri(before.id, uri, trusted, at))) refuse({ refusal: 'uri_taken', uri })
      }
      if (paymentMethods) await products.setPaymentMethods(before.id, paymentMethods)
      await recordAudit(tx, { actor, action: 'product.change', target: before.id, before: { ...before }, after: { ...change } }, at)
      announce({ kind: 'product_changed', subject: before.id })
      return after
    }),
  )
}
