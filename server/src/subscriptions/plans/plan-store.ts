import { newId } from '../../kit/index.ts'
import { type PlanRow, prepare, type Queryable } from '../../storage/index.ts'
import { OPERATOR_SCOPE, type Plan, type PlanInput } from './plan.ts'

/** The fields by which a plan is found. */
export type PlanKey = Pick<Plan, 'id' | 'scope' | 'name' | 'price' | 'belowPrice'>

const KEY = ['id', 'scope', 'name', 'price', 'below_price'] as const

export function planStore(db: Queryable) {
  return {
    /** Makes a plan or changes the one of the same scope and slug, in one statement; answers its id. */
    async put({ scope, slug, ...terms }: PlanInput & { scope: string }, at: number): Promise<string> {
      const { id } = await db
        .insertInto('plans')
        .values({ id: newId(), scope, slug, created_at: at, ...toTerms(terms, at) })
        .onConflict((conflict) => conflict.columns(['scope', 'slug']).doUpdateSet(toTerms(terms, at)))
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    /** Makes a plan and answers its id; `undefined` when its slug is taken in its scope. */
    async insertIfAbsent({ scope, slug, ...terms }: PlanInput & { scope: string }, at: number): Promise<string | undefined> {
      const made = await db
        .insertInto('plans')
        .values({ id: newId(), scope, slug, created_at: at, ...toTerms(terms, at) })
        .onConflict((conflict) => conflict.columns(['scope', 'slug']).doNothing())
        .returning('id')
        .executeTakeFirst()
      return made?.id
    },
    async update({ id, ...terms }: Omit<Plan, 'gatewayRefs'>, at: number): Promise<void> {
      await db.updateTable('plans').set(toTerms(terms, at)).where('id', '=', id).execute()
    },
    async findById(id: string): Promise<Plan | undefined> {
      const row = await db.selectFrom('plans').selectAll().where('id', '=', id).executeTakeFirst()
      return (
        row &&
        toPlan(
          row,
          await db.selectFrom('plan_gateway_refs').selectAll().where('plan_id', '=', id).orderBy('ref').orderBy('gateway').execute(),
        )
      )
    },
    /** The plan, held until the transaction ends: another change waits. */
    async holdById(id: string): Promise<Plan | undefined> {
      await db
        .updateTable('plans')
        .set((e) => ({ name: e.ref('name') }))
        .where('id', '=', id)
        .execute()
      return this.findById(id)
    },
    /** Whether any plan, whosever it is, has one of these slugs. */
    async hasSlug(slugs: readonly string[]): Promise<boolean> {
      if (slugs.length === 0) return false
      return (await db.selectFrom('plans').select('id').where('slug', 'in', slugs).limit(1).executeTakeFirst()) !== undefined
    },
    async setGatewayRefs(planId: string, refs: Plan['gatewayRefs']): Promise<void> {
      await db.deleteFrom('plan_gateway_refs').where('plan_id', '=', planId).execute()
      if (refs.length === 0) return
      await db
        .insertInto('plan_gateway_refs')
        .values(refs.map(({ gateway, ref }) => ({ gateway, ref, plan_id: planId })))
        .execute()
    },
    /** The operator's plan of this slug and the product's, and whether there is such a product. */
    async findBySlug(slug: string, productId: string | undefined): Promise<{ plans: PlanKey[]; isProduct: boolean }> {
      const { rows } = await findBySlug(db, { slug, productId: productId ?? '' })
      return {
        plans: rows.map(toKey),
        isProduct: rows.some(({ product }) => product !== null),
      }
    },
    /** The keys of plans, of one scope or of all: a few for each product. */
    async listKeys(scope?: string): Promise<PlanKey[]> {
      const query = db.selectFrom('plans').select(KEY)
      return (await (scope === undefined ? query : query.where('scope', '=', scope)).execute()).map(toKey)
    },
    /** Plans, each once, on which one of these gateway's ids is registered. */
    async listByGatewayRefs(gateway: string, refs: readonly string[]): Promise<PlanKey[]> {
      if (refs.length === 0) return []
      const rows = await db
        .selectFrom('plans')
        .innerJoin('plan_gateway_refs', 'plan_gateway_refs.plan_id', 'plans.id')
        .select(KEY)
        .where('gateway', '=', gateway)
        .where('ref', 'in', refs)
        .distinct()
        .execute()
      return rows.map(toKey)
    },
    /** Plans in price order, of one scope or of all. */
    async list(scope?: string): Promise<Plan[]> {
      let query = db.selectFrom('plans').selectAll().orderBy('price').orderBy('slug')
      if (scope !== undefined) query = query.where('scope', '=', scope)
      const rows = await query.execute()
      const refs = rows.length === 0 ? [] : await db.selectFrom('plan_gateway_refs').selectAll().orderBy('ref').execute()
      return rows.map((row) =>
        toPlan(
          row,
          refs.filter(({ plan_id }) => plan_id === row.id),
        ),
      )
    },
  }
}

/** Two searches of one plan each: for a list of scopes SQLite makes a table, at twice the cost. */
const findBySlug = prepare((db, { slug, productId }: { slug: string; productId: string }) => {
  const plan = db
    .selectFrom('plans')
    .select((e) => [...KEY, e.selectFrom('products').select('products.id').where('products.id', '=', productId).as('product')])
    .where('slug', '=', slug)
  return plan.where('scope', '=', productId).unionAll(plan.where('scope', '=', OPERATOR_SCOPE))
})

/** The columns of a plan that can change. The rule for payments below its price stays if none is given. */
function toTerms({ name, price, belowPrice }: Omit<PlanInput, 'slug'>, at: number) {
  return { name, price, updated_at: at, ...(belowPrice && { below_price: belowPrice }) }
}

function toKey({ id, scope, name, price, below_price }: Pick<PlanRow, (typeof KEY)[number]>): PlanKey {
  return { id, scope, name, price, belowPrice: below_price === 'hold' ? 'hold' : 'apply' }
}

function toPlan({ id, scope, slug, name, price, below_price }: PlanRow, refs: Array<{ gateway: string; ref: string }>): Plan {
  return { ...toKey({ id, scope, name, price, below_price }), slug, gatewayRefs: refs.map(({ gateway, ref }) => ({ gateway, ref })) }
}
