import type { Queryable } from '../storage/index.ts'

export function healthStore(db: Queryable) {
  const endpoint = (id: string) => db.updateTable('event_endpoints').where('id', '=', id)
  return {
    async clearFailure(id: string): Promise<void> {
      await endpoint(id).set({ failing_since: null, warned_at: null }).where('failing_since', 'is not', null).execute()
    },
    /** Answers since when an enabled endpoint fails; its row is held. */
    async noteFailure(
      id: string,
      { at, pausedUntil }: { at: number; pausedUntil: number | undefined },
    ): Promise<{ failingSince: number; warnedAt: number | undefined } | undefined> {
      const row = await endpoint(id)
        .set((e) => ({
          failing_since: e.fn.coalesce('failing_since', e.val(at)),
          ...(pausedUntil !== undefined && { paused_until: pausedUntil }),
        }))
        .where('disabled_at', 'is', null)
        .returning(['failing_since', 'warned_at'])
        .executeTakeFirst()
      return row && { failingSince: row.failing_since ?? at, warnedAt: row.warned_at ?? undefined }
    },
    async noteWarning(id: string, at: number): Promise<void> {
      await endpoint(id).set({ warned_at: at }).execute()
    },
  }
}
