import assert from 'node:assert/strict'
import { it } from 'node:test'
import { oneDatabase } from '../../../test/support/databases.ts'
import { startService } from '../../../test/support/service.ts'
import type { Difference } from './compare.ts'
import { fixSubscriptions } from './fix-subscriptions.ts'

oneDatabase('Fixing subscriptions', (database) => {
  it('counts those that would lose access by those that give it, not by all that were ever sold', async () => {
    const { context } = await startService(await database.fresh(), {})
    const at = context.now()
    const differences = Array.from(
      { length: 900 },
      (_, n): Difference => ({
        ...{ streamId: `s${n}`, source: 'own', ref: `r${n}`, number: 0, subscriptionId: `u${n}` },
        stored: { accessUntil: at + 1 },
        computed: { accessUntil: 0 },
      }),
    )
    const fix = (giving: number) => fixSubscriptions({ giving, differences }, { losing: 'few' }, { ...context, actor: 'operator:test' })
    assert.deepEqual(await fix(900), { refusal: 'too_many_lose', losing: 900, most: 10 })
    assert.deepEqual(await fix(89_999), { refusal: 'too_many_lose', losing: 900, most: 899 })
  })
})
