import type { Queryable } from '../../storage/index.ts'
import type { Product } from '../product.ts'
import { toProduct } from '../product-row.ts'
import { FORWARD_ACCESS, type ForwardAccess, type ForwardAuth } from './forward-auth.ts'

export function forwardAuthStore(db: Queryable) {
  return {
    async find(productId: string): Promise<ForwardAuth | undefined> {
      const rule = await db.selectFrom('forward_auth').select(['access', 'plans']).where('product_id', '=', productId).executeTakeFirst()
      if (!rule) return undefined
      const hosts = await db.selectFrom('forward_auth_hosts').select('host').where('product_id', '=', productId).orderBy('host').execute()
      return { ...toRule(rule), hosts: hosts.map(({ host }) => host) }
    },
    async put(productId: string, { access, plans }: Pick<ForwardAuth, 'access' | 'plans'>): Promise<void> {
      const rule = { access, plans: plans.join(' ') }
      await db
        .insertInto('forward_auth')
        .values({ product_id: productId, ...rule })
        .onConflict((conflict) => conflict.column('product_id').doUpdateSet(rule))
        .execute()
    },
    /** Its hosts go with it. */
    async remove(productId: string): Promise<void> {
      await db.deleteFrom('forward_auth_hosts').where('product_id', '=', productId).execute()
      await db.deleteFrom('forward_auth').where('product_id', '=', productId).execute()
    },
    /** Registers a host for one product, which has a rule. Of any number of concurrent calls for one host exactly one gets `true`. */
    async addHost(productId: string, host: string, at: number): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('forward_auth_hosts')
        .values({ host, product_id: productId, created_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
    async removeHost(productId: string, host: string): Promise<void> {
      await db.deleteFrom('forward_auth_hosts').where('host', '=', host).where('product_id', '=', productId).execute()
    },
    /** Every host of every product, with its rule. */
    async listHosts(): Promise<Array<{ host: string; product: Product; rule: Pick<ForwardAuth, 'access' | 'plans'> }>> {
      const rows = await db
        .selectFrom('forward_auth_hosts')
        .innerJoin('forward_auth', 'forward_auth.product_id', 'forward_auth_hosts.product_id')
        .innerJoin('products', 'products.id', 'forward_auth_hosts.product_id')
        .selectAll('products')
        .select(['forward_auth_hosts.host', 'forward_auth.access', 'forward_auth.plans'])
        .execute()
      return rows.map((row) => ({ host: row.host, product: toProduct(row), rule: toRule(row) }))
    },
  }
}

/** An access that a newer version wrote opens nothing: it is read as a list without plans. */
function toRule({ access, plans }: { access: string; plans: string }): { access: ForwardAccess; plans: string[] } {
  const known = FORWARD_ACCESS.find((one) => one === access)
  return known ? { access: known, plans: plans.split(' ').filter((slug) => slug !== '') } : { access: 'plans', plans: [] }
}
