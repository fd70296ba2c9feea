import type { Queryable } from '../storage/index.ts'

export function healthStore(db: Queryable) {
  const endpoint = (id: string) => db.updateTable('event_endpoints').where('id', '=', id)
  return {
    async clearFailure(id: string): Promise<void> {
      await endpoint(id).set({ failing_since: null, warned_at: null }).where('failing_since', 'is not', null).execute()
    },
    /** Nothing is sent to an enabled endpoint until then (ms). */
    async pause(id: string, until: number): Promise<void> {
      await endpoint(id).set({ paused_until: until }).where('disabled_at', 'is', null).execute()
    },
    /** Ends any pause, or the one that was seen, if the address is still the same. */
    async endPause(id: string, seen?: { url: string; pausedUntil: number }): Promise<void> {
      const all = endpoint(id).set({ paused_until: null }).where('paused_until', 'is not', null)
      await (seen ? all.where('url', '=', seen.url).where('paused_until', '=', seen.pausedUntil) : all).execute()
    },
    /** Answers since when an enabled endpoint fails; its row is held. */
    async noteFailure(id: string, at: number): Promise<{ failingSince: number; warnedAt: number | undefined } | undefined> {
      const row = await endpoint(id)
        .set((e) => ({ failing_since: e.fn.coalesce('failing_since', e.val(at)) }))
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
