import { sql } from 'kysely'
import { firstIdAt } from '../../kit/index.ts'
import { isStuck } from '../../notifications/index.ts'
import type { Queryable } from '../../storage/index.ts'

/** The counts of a day that can be made after its end. */
export const COUNTED = ['sign_ins', 'new_users', 'purchases', 'failed_notifications', 'dead_jobs'] as const
export type Counted = Record<(typeof COUNTED)[number], number>

/** No table has these: every node adds its own. */
const FAILED_SIGN_INS = 'failed_sign_ins'

/** The stored counts of a figure by kind. A count of the name alone, of before kinds were counted, has the empty kind. */
export function kindsIn(counts: Map<string, number>, figure: 'failed_sign_ins' | 'sign_ins_by'): Map<string, number> {
  const ofFigure = [...counts].filter(([name]) => name === figure || name.startsWith(`${figure}:`))
  return new Map(ofFigure.map(([name, count]) => [name.slice(figure.length + 1), count]))
}

/** The counts of a day, with its sign-ins by method. A session from before methods were kept is in none of them. */
export type CountedDay = Counted & { sign_ins_by_method: Record<string, number> }

/** The counts of each day. Ids are made in the order of time, so a day is a range of a primary key, and nothing outside it is read. */
export function dailyCountStore(db: Queryable) {
  return {
    /** The stored counts between two days, both included, by day and name. */
    async list(from: string, to: string): Promise<Map<string, Map<string, number>>> {
      const rows = await db.selectFrom('daily_counts').selectAll().where('day', '>=', from).where('day', '<=', to).execute()
      const days = Map.groupBy(rows, ({ day }) => day)
      return new Map([...days].map(([day, counts]) => [day, new Map(counts.map(({ name, count }) => [name, count]))]))
    },
    /** Stores the counts of a finished day; counts stored before stay. */
    async keep(day: string, counted: CountedDay): Promise<void> {
      const ofMethods = Object.entries(counted.sign_ins_by_method).map(([method, count]) => ({ day, name: `sign_ins_by:${method}`, count }))
      const rows = [...COUNTED.map((name) => ({ day, name, count: counted[name] })), ...ofMethods]
      await db
        .insertInto('daily_counts')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    /** Adds failed sign-ins of a kind. */
    async addFailed(day: string, kind: string, count: number): Promise<void> {
      const name = `${FAILED_SIGN_INS}:${kind}`
      await db
        .insertInto('daily_counts')
        .values({ day, name, count })
        .onConflict((conflict) => conflict.columns(['day', 'name']).doUpdateSet((e) => ({ count: e('daily_counts.count', '+', count) })))
        .execute()
    },
    /** Counts between two times (ms), the second not included. */
    async count(from: number, until: number): Promise<CountedDay> {
      const ofDay = (id: 'users.id' | 'subscriptions.id' | 'sessions.id' | 'notifications.id') =>
        sql<boolean>`${sql.ref(id)} >= ${firstIdAt(from)} and ${sql.ref(id)} < ${firstIdAt(until)}`
      const users = db.selectFrom('users').select(all).where(ofDay('users.id'))
      const subscriptions = db.selectFrom('subscriptions').select(all).where(ofDay('subscriptions.id'))
      // Without products' sessions, whose sign-in is counted, and without impersonations, which are no sign-in of their user.
      const begun = db.selectFrom('sessions').select(['sign_in_method', all]).where(ofDay('sessions.id')).groupBy('sign_in_method')
      // Both in one term: otherwise SQLite scans all rows without a parent, by the index of parents, and not only one day.
      const signIns = await begun.where((e) => e(e.fn.coalesce('parent_id', 'impersonator_id'), 'is', null)).execute()
      const stuck = db.selectFrom('notifications').select(all).where(ofDay('notifications.id')).where(isStuck())
      const dead = db.selectFrom('outbox').select(all).where('dead_at', '>=', from).where('dead_at', '<', until)
      return {
        sign_ins: signIns.reduce((sum, { count }) => sum + Number(count), 0),
        sign_ins_by_method: Object.fromEntries(
          signIns.flatMap(({ sign_in_method: method, count }) => (method === null ? [] : [[method, Number(count)]])),
        ),
        new_users: await numberOf(users),
        purchases: await numberOf(subscriptions),
        failed_notifications: await numberOf(stuck),
        dead_jobs: await numberOf(dead),
      }
    },
  }
}

const all = sql<number | string>`count(*)`.as('count')

async function numberOf(query: { executeTakeFirstOrThrow(): Promise<{ count: number | string }> }): Promise<number> {
  return Number((await query.executeTakeFirstOrThrow()).count)
}
