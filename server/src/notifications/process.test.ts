import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { KyselyPlugin } from 'kysely'
import { eachDatabase, type TestDatabase } from '../../test/support/databases.ts'
import { DAY_MS, paid, reconciled, recordGiven, START, UNNAMED } from '../../test/support/gateways/events.ts'
import { notificationsOf, openSchool } from '../../test/support/gateways/gateways.ts'
import { startForSuite } from '../../test/support/service.ts'
import type { ChangeFeed } from '../changes/index.ts'
import { resolveNotification } from './index.ts'

const PERIOD_END = START + 60 * DAY_MS

eachDatabase('What a gateway reports', (database: TestDatabase) => {
  const service = startForSuite(database)

  /** How many statements an action has asked the database, in its transactions. */
  async function counted(action: (counting: ReturnType<typeof service>) => Promise<unknown>): Promise<number> {
    let statements = 0
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        statements++
        return result
      },
    }
    const { context } = service()
    const transaction: ChangeFeed['transaction'] = (act) =>
      context.changes.transaction((tx, announce) => act(tx.withPlugin(plugin) as typeof tx, announce))
    await action({ ...service(), context: { ...context, changes: { ...context.changes, transaction } } })
    return statements
  }

  // Locks are statements on PostgreSQL alone: one for each name, and those of the buyer and of the days of grace.
  it('is applied in few statements: no question is asked twice, nor about what has never waited', async () => {
    const school = await openSchool(service(), 'stripe')
    const more = { subscriptionId: 'S', periodEnd: PERIOD_END }
    const first = await counted((counting) => recordGiven(counting, school, paid(['a', 'b'], { ...more, periodEnd: START + DAY_MS })))
    const renewal = await counted((counting) => recordGiven(counting, school, paid(['c', 'd'], { ...more, occurredAt: START + DAY_MS })))
    const back = { ...paid(['d'], { plan: UNNAMED }), key: 'back', kind: 'refunded', occurredAt: START + 2 * DAY_MS } as const
    const refund = await counted((counting) => recordGiven(counting, school, back))
    const known = await counted((counting) => reconciled(counting, school, back))
    assert.deepEqual(
      { first, renewal, refund, known },
      database.name === 'postgres' ? { first: 16, renewal: 18, refund: 15, known: 4 } : { first: 11, renewal: 13, refund: 13, known: 4 },
    )
  })

  it('is processed once when the operator resolves it, or it comes again, though it waits under its own names', async () => {
    const school = await openSchool(service(), 'stripe')
    await recordGiven(service(), school, paid(['x', 'y'], { plan: UNNAMED }))
    await recordGiven(service(), school, paid(['z'], { plan: UNNAMED }))
    const [pending] = (await notificationsOf(service(), school)).filter(({ subject }) => subject === 'x')
    const resolution = { planSlug: 'curso', reason: 'x' }
    const resolved = await counted((counting) =>
      resolveNotification(pending?.id ?? '', resolution, { ...counting.context, actor: 'operator:test' }),
    )
    const again = await counted((counting) => reconciled(counting, school, paid(['z'])))
    assert.deepEqual({ resolved, again }, database.name === 'postgres' ? { resolved: 21, again: 27 } : { resolved: 16, again: 23 })
    const { db } = service().context.storage
    assert.deepEqual(
      await db.selectFrom('pending_notifications').selectAll().where('product_id', '=', school.product.product.id).execute(),
      [],
    )
  })
})
