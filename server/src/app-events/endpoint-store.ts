import type { EventEndpointRow, Queryable } from '../storage/index.ts'
import type { Endpoint } from './endpoint.ts'
import { parseTypes } from './event-store.ts'

/** An endpoint with its secrets as they are stored. */
export type SealedEndpoint = Endpoint & { secretSealed: string; previousSealed: string | undefined }

export function endpointStore(db: Queryable) {
  const holding = (id: string) =>
    db
      .updateTable('event_endpoints')
      .set((e) => ({ url: e.ref('url') }))
      .where('id', '=', id)
  return {
    async insert({ id, productId, url, types, description, readyAt, createdAt }: Endpoint, secretSealed: string): Promise<void> {
      const own = { id, product_id: productId ?? null, url, types: types.join(' '), description, secret_sealed: secretSealed }
      const none = { previous_sealed: null, previous_until: null, disabled_at: null, disabled_reason: null }
      const health = { failing_since: null, warned_at: null, paused_until: null }
      await db
        .insertInto('event_endpoints')
        .values({ ...own, ...none, ...health, ready_at: readyAt ?? null, created_at: createdAt })
        .execute()
    },
    /** Oldest first. */
    async list(): Promise<SealedEndpoint[]> {
      return (await db.selectFrom('event_endpoints').selectAll().orderBy('id').execute()).map(toEndpoint)
    },
    async findById(id: string): Promise<SealedEndpoint | undefined> {
      const row = await db.selectFrom('event_endpoints').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toEndpoint(row)
    },
    /** Held until the transaction ends. */
    async holdById(id: string): Promise<SealedEndpoint | undefined> {
      const row = await holding(id).returningAll().executeTakeFirst()
      return row && toEndpoint(row)
    },
    async change(
      id: string,
      { url, types, description, readyAt }: Pick<Endpoint, 'url' | 'types' | 'description' | 'readyAt'>,
    ): Promise<void> {
      const settings = { url, types: types.join(' '), description, ready_at: readyAt ?? null }
      await db.updateTable('event_endpoints').set(settings).where('id', '=', id).execute()
    },
    /** It may be disabled still. */
    async forgetFailures(id: string): Promise<void> {
      await db
        .updateTable('event_endpoints')
        .set({ failing_since: null, warned_at: null, paused_until: null })
        .where('id', '=', id)
        .execute()
    },
    async setSecrets(id: string, { secretSealed, previousSealed, previousUntil }: NewSecrets): Promise<void> {
      const secrets = { secret_sealed: secretSealed, previous_sealed: previousSealed, previous_until: previousUntil }
      await db.updateTable('event_endpoints').set(secrets).where('id', '=', id).execute()
    },
    async disable(id: string, reason: string, at: number): Promise<void> {
      await db.updateTable('event_endpoints').set({ disabled_at: at, disabled_reason: reason }).where('id', '=', id).execute()
    },
    async enable(id: string): Promise<void> {
      const fresh = { disabled_at: null, disabled_reason: null, failing_since: null, warned_at: null, paused_until: null }
      await db.updateTable('event_endpoints').set(fresh).where('id', '=', id).execute()
    },
    async remove(id: string): Promise<void> {
      await db.deleteFrom('event_endpoints').where('id', '=', id).execute()
    },
    /** For a new master key. */
    async listSealed(): Promise<Array<{ id: string; sealed: string }>> {
      const rows = await db.selectFrom('event_endpoints').select(['id', 'secret_sealed']).orderBy('id').execute()
      return rows.map(({ id, secret_sealed: sealed }) => ({ id, sealed }))
    },
    async reseal(id: string, sealed: string): Promise<void> {
      await db.updateTable('event_endpoints').set({ secret_sealed: sealed }).where('id', '=', id).execute()
    },
    async listPreviousSealed(): Promise<Array<{ id: string; sealed: string }>> {
      const rows = await db.selectFrom('event_endpoints').select(['id', 'previous_sealed']).orderBy('id').execute()
      return rows.flatMap(({ id, previous_sealed: sealed }) => (sealed === null ? [] : [{ id, sealed }]))
    },
    async resealPrevious(id: string, sealed: string): Promise<void> {
      await db.updateTable('event_endpoints').set({ previous_sealed: sealed }).where('id', '=', id).execute()
    },
  }
}

interface NewSecrets {
  secretSealed: string
  previousSealed: string
  /** Ms. */
  previousUntil: number
}

export function toEndpoint(row: EventEndpointRow): SealedEndpoint {
  return {
    id: row.id,
    productId: row.product_id ?? undefined,
    url: row.url,
    types: parseTypes(row.types),
    description: row.description,
    secretSealed: row.secret_sealed,
    previousSealed: row.previous_sealed ?? undefined,
    previousUntil: row.previous_until ?? undefined,
    readyAt: row.ready_at ?? undefined,
    disabledAt: row.disabled_at ?? undefined,
    disabledReason: row.disabled_reason ?? undefined,
    failingSince: row.failing_since ?? undefined,
    warnedAt: row.warned_at ?? undefined,
    pausedUntil: row.paused_until ?? undefined,
    createdAt: row.created_at,
  }
}
