import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { eachDatabase } from '../../../test/support/databases.ts'
import { newId } from '../../kit/index.ts'
import { productStore } from '../../products/index.ts'
import { migrate, openStorage, parseDatabaseUrl, type Storage } from '../../storage/index.ts'
import { USUAL_REQUIREMENTS } from '../../users/index.ts'
import { findPlan, type PlanReference } from './find-plan.ts'
import { OPERATOR_SCOPE } from './plan.ts'
import { planStore } from './plan-store.ts'

eachDatabase('What was bought', (database) => {
  let storage: Storage
  before(async () => {
    storage = await openStorage(parseDatabaseUrl((await database.fresh()).url) ?? assert.fail())
    await migrate(storage)
  })
  after(() => storage.close())

  async function product(name: string) {
    const id = newId()
    const rest = {
      audience: 'external',
      checkout: 'external',
      handoff: 'eg_token',
      scopes: [],
      queryKeyAllowed: true,
      requirements: USUAL_REQUIREMENTS,
      openid: undefined,
      backchannelLogoutUri: undefined,
      createdAt: 1,
    } as const
    await productStore(storage.db).insert({ id, slug: id, name, publishableKey: id, ...rest })
    return id
  }
  const plan = (slug: string, name: string, scope = OPERATOR_SCOPE) =>
    planStore(storage.db).put({ scope, slug, name, price: 100, belowPrice: 'hold' }, 1)
  const find = async (reference: PlanReference) => {
    const found = await findPlan(storage.db, reference)
    if (typeof found === 'string') return found
    const { price, belowPrice, ...rest } = found
    assert.deepEqual([price, belowPrice], [100, 'hold'])
    return rest
  }
  const bySlug = (slug: string, productId?: string) => find({ by: 'slug', slug, productId })
  const byName = (name: string, productId?: string) => find({ by: 'name', name, productId })

  it('is found by the slug alone when it is the operator’s plan, whatever product is named', async () => {
    const planId = await plan('slug-alone', 'Alone')
    const productId = await product('Registered')
    assert.deepEqual(await bySlug('slug-alone'), { planId, productId: undefined })
    assert.deepEqual(await bySlug('slug-alone', productId), { planId, productId })
    assert.deepEqual(await bySlug('slug-alone', productId.toUpperCase()), { planId, productId })
    assert.deepEqual(await bySlug('slug-alone', newId()), { planId, productId: undefined }, 'a product that nobody registered')
    for (const slug of ['SLUG-ALONE', 'slug-alone ', 'slug', '']) assert.equal(await bySlug(slug), 'unknown_plan', slug)
  })

  it('needs its own product when the plan is a product’s', async () => {
    const productId = await product('Owner')
    const other = await product('Other')
    const planId = await plan('slug-owned', 'Owned', productId)
    assert.deepEqual(await bySlug('slug-owned', productId), { planId, productId })
    for (const id of [undefined, other, newId(), OPERATOR_SCOPE, 'no id\0'])
      assert.equal(await bySlug('slug-owned', id), 'unknown_plan', id)
  })

  it('is the product’s own plan before the operator’s of the same slug', async () => {
    const productId = await product('Both')
    const operators = await plan('slug-both', 'Both of the operator')
    const own = await plan('slug-both', 'Both of the product', productId)
    assert.deepEqual(await bySlug('slug-both', productId), { planId: own, productId })
    assert.deepEqual(
      await bySlug('slug-both', await product('Neither')).then((found) => typeof found === 'object' && found.planId),
      operators,
    )
    assert.deepEqual(await bySlug('slug-both'), { planId: operators, productId: undefined })
  })

  it('is nothing when its slug has characters that no slug has, some of which PostgreSQL takes for an error', async () => {
    await plan('slug-clean', 'Clean')
    for (const slug of ['slug-clean\0', '\u0000', 'slug\n', 'slug-\ud800', 'slug\u0085'])
      assert.equal(await bySlug(slug), 'unknown_plan', JSON.stringify(slug))
  })

  it('is the only plan of the product whose id is named, whatever it is called', async () => {
    const productId = await product('One plan')
    const planId = await plan('one', 'The one', productId)
    assert.deepEqual(await byName('Something else', productId), { planId, productId })
    assert.deepEqual(await byName('Something else', productId.toUpperCase()), { planId, productId })
  })

  it('is the plan so named of the product whose id is named, where it has several', async () => {
    const productId = await product('Several')
    const monthly = await plan('monthly', 'Plano Mensal', productId)
    await plan('yearly', 'Plano Anual', productId)
    assert.deepEqual(await byName('plano mensal', productId), { planId: monthly, productId })
    assert.equal(await byName('Plano Semanal', productId), 'ambiguous_plan')
    await plan('monthly-2', 'PLANO  MENSAL', productId)
    assert.equal(await byName('plano mensal', productId), 'ambiguous_plan', 'two of one name')
  })

  it('is the operator’s plan so named for a product that has none of its own, and no other product’s', async () => {
    const productId = await product('Without plans')
    const planId = await plan('named-for-all', 'For all')
    await plan('named-elsewhere', 'Elsewhere only', await product('Elsewhere'))
    assert.deepEqual(await byName('For all', productId), { planId, productId })
    assert.equal(await byName('Elsewhere only', productId), 'unknown_plan')
  })

  it('is the plan whose own id stands where a product’s is expected', async () => {
    const planId = await plan('by-id', 'By id')
    const productId = await product('With a plan')
    const own = await plan('by-id-own', 'By id, own', productId)
    await plan('by-id-own-2', 'By id, own too', productId)
    assert.deepEqual(await byName('Anything', planId), { planId, productId: undefined })
    assert.deepEqual(await byName('Anything', own.toUpperCase()), { planId: own, productId })
  })

  it('is at a gateway the plan that is named, then the one of its ids, and the only one of the product as a guess where nothing names another', async () => {
    const [productId, other] = [await product('Of a gateway'), await product('Of the same account')]
    const planId = await plan('taught', 'Taught', productId)
    const printed = await plan('printed', 'Printed', other)
    await planStore(storage.db).setGatewayRefs(planId, [{ gateway: 'stripe', ref: 'price_taught' }])
    await planStore(storage.db).setGatewayRefs(printed, [{ gateway: 'stripe', ref: 'price_printed' }])
    const sold = (slugs: string[], refs: string[] = [], isOffer = true) =>
      find({ by: 'gateway', gateway: 'stripe', productId, slugs, refs, isOffer })
    assert.deepEqual(await sold(['taught'], ['price_printed'], false), { planId, productId })
    assert.deepEqual(await sold(['printed'], ['price_taught'], false), { planId, productId })
    const guess = { planId, productId, isGuess: true }
    for (const slugs of [[], ['pedido-123'], ['\0'], ['\ud800']]) assert.deepEqual(await sold(slugs, ['price_other', '\0']), guess)
    assert.equal(await sold([], ['price_other'], false), 'unknown_plan', 'no offer')
    assert.equal(await sold(['pedido-123', 'printed']), 'unknown_plan', 'a slug of another product')
    assert.equal(await sold([], ['price_printed']), 'unknown_plan', 'an id of another product')
    await plan('taught-2', 'Taught twice', productId)
    assert.equal(await sold([]), 'ambiguous_plan')
  })

  it('is found by name without regard to case, accents and spaces, among plans, then among products', async () => {
    const planId = await plan('acai', 'Açaí  Épico')
    for (const name of ['açaí épico', 'ACAI EPICO', ' Ac\u0327ai\u0301 E\u0301pico ', 'acai\tepico'])
      assert.deepEqual(await byName(name), { planId, productId: undefined }, JSON.stringify(name))
    assert.deepEqual(await byName('acai epico', newId()), { planId, productId: undefined }, 'an id that says nothing')
    assert.deepEqual(await byName('acai epico', 'no id\0'), { planId, productId: undefined })
    for (const name of ['acaiepico', 'acai', 'acai epico\0', '\ud800', '', ' '])
      assert.equal(await byName(name), 'unknown_plan', JSON.stringify(name))
    const productId = await product('Coração de Mãe')
    assert.equal(await byName('coracao de mae'), 'unknown_plan', 'a product without plans')
    const only = await plan('heart', 'Coração', productId)
    assert.deepEqual(await byName('CORACAO DE MAE'), { planId: only, productId })
    assert.deepEqual(await byName('coracao'), { planId: only, productId })
    await plan('heart-2', 'Coração II', productId)
    assert.equal(await byName('CORACAO DE MAE'), 'ambiguous_plan')
  })

  it('is the operator’s among several of one name, and ambiguous between products', async () => {
    const [one, two] = [await product('First of two'), await product('Second of two')]
    await plan('gold', 'Gold', one)
    await plan('gold', 'Góld', two)
    assert.equal(await byName('gold'), 'ambiguous_plan')
    const planId = await plan('gold', 'GOLD')
    assert.deepEqual(await byName('gold'), { planId, productId: undefined })
    await plan('gold-2', 'gold')
    assert.equal(await byName('gold'), 'ambiguous_plan', 'two of the operator’s')
  })

  it('is ambiguous between two products of one name, unless one alone has a plan', async () => {
    const [one, two] = [await product('Twins'), await product('TWINS')]
    const planId = await plan('twin', 'Twin', one)
    assert.deepEqual(await byName('twins'), { planId, productId: one })
    await plan('twin', 'Twin', two)
    assert.equal(await byName('twins'), 'ambiguous_plan')
  })
})
