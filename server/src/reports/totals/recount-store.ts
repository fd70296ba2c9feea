import { readSetting, type Transaction, takeSetting } from '../../storage/index.ts'
import { RECOUNT } from '../../subscriptions/index.ts'

/**
 * Marks the next streams of a recount. Answers how many; 0 when it is over, none was asked for, or its last streams are being written: then
 * the next round ends it.
 */
export async function continueRecount(tx: Transaction, limit: number, zone: string): Promise<number> {
  const after = await readSetting(tx, RECOUNT)
  if (after === undefined) return 0
  const page = await tx.selectFrom('event_streams').select('id').where('id', '>', after).orderBy('id').limit(limit).execute()
  const ids = page.map(({ id }) => id)
  const last = ids.at(-1)
  if (last === undefined) {
    // A stream that is passed over, as another transaction holds it, still has its entries in a former zone.
    if (await tx.selectFrom('event_streams').select('id').where('counted_at', 'is', null).limit(1).executeTakeFirst()) return 0
    await takeSetting(tx, RECOUNT, after)
    // Every stream has its entries in the zone of now: the sums of former zones are empty.
    await tx.deleteFrom('report_totals').where('zone', '!=', zone).execute()
    return 0
  }
  await tx.updateTable('event_streams').set({ counted_at: null }).where('id', 'in', ids).execute()
  // A recount that was begun anew meanwhile starts at the first stream.
  await tx.updateTable('settings').set({ value: last }).where('name', '=', RECOUNT).where('value', '=', after).execute()
  return ids.length
}
