import { sql } from 'kysely'
import { newId } from '../../kit/index.ts'
import { inPages, type Page, type Queryable, removeInPortions, type Transaction } from '../../storage/index.ts'

/** A client that described itself and was given access. Times in ms. */
export interface DescribedClient {
  id: string
  /** The address of its description. */
  clientId: string
  firstSeenAt: number
  lastSeenAt: number
  refusedAt: number | undefined
  /** Its live sessions, each of one user. */
  sessions: number
}

export function describedClientStore(db: Queryable) {
  const client = (id: string) => db.updateTable('described_clients').where('id', '=', id)
  const shown = (now: number) =>
    db
      .selectFrom('described_clients')
      .selectAll()
      .select((e) =>
        e
          .selectFrom('sessions')
          .select((count) => count.fn.countAll().as('sessions'))
          .whereRef('sessions.client_id', '=', 'described_clients.client_id')
          .where('sessions.ended_at', 'is', null)
          .where('sessions.expires_at', '>', now)
          .as('sessions'),
      )
  return {
    async isRefused(clientId: string): Promise<boolean> {
      const row = await db.selectFrom('described_clients').select('refused_at').where('client_id', '=', clientId).executeTakeFirst()
      return typeof row?.refused_at === 'number'
    },
    async listPage(page: Page, now: number): Promise<DescribedClient[]> {
      const rows = await inPages(shown(now), { column: 'last_seen_at', id: 'id', page }).execute()
      return rows.map(toDescribedClient)
    },
    async find(id: string, now: number): Promise<DescribedClient | undefined> {
      const row = await shown(now).where('id', '=', id).executeTakeFirst()
      return row && toDescribedClient(row)
    },
    /** The client's address where that changed anything. Sessions that begin at the same moment wait for it, and see it. */
    async refuse(id: string, at: number): Promise<string | undefined> {
      const row = await client(id).set({ refused_at: at }).where('refused_at', 'is', null).returning('client_id').executeTakeFirst()
      return row?.client_id
    },
    async allow(id: string): Promise<string | undefined> {
      const row = await client(id).set({ refused_at: null }).where('refused_at', 'is not', null).returning('client_id').executeTakeFirst()
      return row?.client_id
    },
    /** Forgets clients that nobody has used since `before`. A refused one stays refused. */
    async forgetUnused(before: number): Promise<void> {
      await removeInPortions(db, 'described_clients', (e) => e.and([e('last_seen_at', '<', before), e('refused_at', 'is', null)]))
    },
  }
}

/**
 * Notes that a client is given access, before its session begins. `refused`: the operator refuses it. The row is held until the transaction
 * ends, so that no session escapes a refusal that comes at that moment.
 */
export async function noteGivenAccess(tx: Transaction, clientId: string, at: number): Promise<'allowed' | 'refused'> {
  const row = await tx
    .insertInto('described_clients')
    .values({ id: newId(), client_id: clientId, first_seen_at: at, last_seen_at: at, refused_at: null })
    .onConflict((conflict) => conflict.column('client_id').doUpdateSet({ last_seen_at: sql`excluded.last_seen_at` }))
    .returning('refused_at')
    .executeTakeFirstOrThrow()
  return row.refused_at === null ? 'allowed' : 'refused'
}

interface Row {
  id: string
  client_id: string
  first_seen_at: number
  last_seen_at: number
  refused_at: number | null
  sessions: number | string | bigint | null
}

function toDescribedClient(row: Row): DescribedClient {
  return {
    id: row.id,
    clientId: row.client_id,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    refusedAt: row.refused_at ?? undefined,
    sessions: Number(row.sessions ?? 0),
  }
}
