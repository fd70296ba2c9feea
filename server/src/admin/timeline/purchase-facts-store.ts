import { foreignText, listHistories } from '../../payment-history/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { TimelineEntry } from './timeline-entry.ts'

interface PurchaseRow {
  stream_id: string
  key: string
  plan: string | null
  amount: number | null
  foreign_amount: string | null
}

/** The facts of events that leave some out, as a refund does, from their payments; by stream and key. */
export async function readFacts(db: Queryable, rows: readonly PurchaseRow[]): Promise<Map<string, TimelineEntry['details']>> {
  const lacking = rows.filter((row) => row.plan === null || (row.amount === null && row.foreign_amount === null))
  if (lacking.length === 0) return new Map()
  const histories = await listHistories(db, [...new Set(lacking.map(({ stream_id }) => stream_id))])
  const plans = new Map((await db.selectFrom('plans').select(['id', 'name']).execute()).map(({ id, name }) => [id, name]))
  return new Map(
    [...histories].flatMap(([streamId, events]) =>
      events.map((event) => {
        const { key, planId, amount, method } = event
        const plan = (planId === undefined ? undefined : plans.get(planId)) ?? null
        const money = { amount: amount ?? null, foreign_amount: foreignText(event) }
        return [`${streamId} ${key}`, { plan, ...money, method: method ?? null }] as const
      }),
    ),
  )
}
