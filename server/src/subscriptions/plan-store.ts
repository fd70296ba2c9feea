import { newId } from '../kit/index.ts'
import { type PlanRow, prepare, type Queryable } from '../storage/index.ts'
import { OPERATOR_SCOPE, type Plan } from './plan.ts'

/** What a plan is found by. */
export type PlanKey = Pick<Plan, 'id' | 'scope' | 'name'>

export function planStore(db: Queryable) {
  return {
    /** Makes a plan or changes the one of the same scope and slug, in one statement; answers its id. */
    async put({ scope, slug, name, price }: Omit<Plan, 'id' | 'gatewayRefs'>, at: number): Promise<string> {
      const { id } = await db
        .insertInto('plans')
        .values({ id: newId(), scope, slug, name, price, created_at: at, updated_at: at })
        .onConflict((conflict) => conflict.columns(['scope', 'slug']).doUpdateSet({ name, price, updated_at: at }))
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    /** Makes a plan and answers its id; `undefined` when its slug is taken in its scope. */
    async insertIfAbsent({ scope, slug, name, price }: Omit<Plan, 'id' | 'gatewayRefs'>, at: number): Promise<string | undefined> {
      const made = await db
        .insertInto('plans')
        .values({ id: newId(), scope, slug, name, price, created_at: at, updated_at: at })
        .onConflict((conflict) => conflict.columns(['scope', 'slug']).doNothing())
        .returning('id')
        .executeTakeFirst()
      return made?.id
    },
    async update({ id, name, price }: Pick<Plan, 'id' | 'name' | 'price'>, at: number): Promise<void> {
      await db.updateTable('plans').set({ name, price, updated_at: at }).where('id', '=', id).execute()
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
    /** The plan, held until the transaction ends: whoever changes it meanwhile waits. */
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
      return { plans: rows.map(({ id, scope, name }) => ({ id, scope, name })), isProduct: rows.some(({ product }) => product !== null) }
    },
    /** What plans are found by, of one scope or of all: a few for each product. */
    async listKeys(scope?: string): Promise<PlanKey[]> {
      const query = db.selectFrom('plans').select(['id', 'scope', 'name'])
      return (scope === undefined ? query : query.where('scope', '=', scope)).execute()
    },
    /** Plans, each once, on which one of these gateway's ids is registered. */
    async listByGatewayRefs(gateway: string, refs: readonly string[]): Promise<PlanKey[]> {
      if (refs.length === 0) return []
      return db
        .selectFrom('plans')
        .innerJoin('plan_gateway_refs', 'plan_gateway_refs.plan_id', 'plans.id')
        .select(['id', 'scope', 'name'])
        .where('gateway', '=', gateway)
        .where('ref', 'in', refs)
        .distinct()
        .execute()
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

const findBySlug = prepare((db, { slug, productId }: { slug: string; productId: string }) =>
  db
    .selectFrom('plans')
    .select((e) => [
      'id',
      'scope',
      'name',
      e.selectFrom('products').select('products.id').where('products.id', '=', productId).as('product'),
    ])
    .where('slug', '=', slug)
    .where('scope', 'in', [OPERATOR_SCOPE, productId]),
)

function toPlan({ id, scope, slug, name, price }: PlanRow, refs: Array<{ gateway: string; ref: string }>): Plan {
  return { id, scope, slug, name, price, gatewayRefs: refs.map(({ gateway, ref }) => ({ gateway, ref })) }
}
