import { type Actor, recordAudit } from '../audit/index.ts'
import type { Now } from '../kit/index.ts'
import { type Queryable, readSetting, type Storage, type Transaction, takeLock, writeSetting } from '../storage/index.ts'
import { beginRecount } from '../subscriptions/index.ts'

const ZONE = 'reports_zone'
/** Amounts are in reais, and so are the days until the operator says otherwise. */
const USUAL_ZONE = 'America/Sao_Paulo'

/** The zone of the operator's days. */
export async function readZone(db: Queryable): Promise<string> {
  return (await readSetting(db, ZONE)) ?? USUAL_ZONE
}

/** The name of a time zone as the tz database writes it; `undefined` for an unknown one. */
export function parseZone(text: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** Sets the zone. Every stream is counted anew, a portion at a time; until then figures of the new zone are not complete. */
export async function setZone(zone: string, { storage, now, actor }: { storage: Storage; now: Now; actor: Actor }): Promise<void> {
  await storage.transaction((tx) => applyZone(tx, zone, { storage, actor, at: now() }))
}

/** The same within a transaction. */
export async function applyZone(
  tx: Transaction,
  zone: string,
  { storage, actor, at }: { storage: Storage; actor: Actor; at: number },
): Promise<void> {
  await takeLock(tx, 'reports', storage)
  const before = await readZone(tx)
  if (before === zone) return
  await writeSetting(tx, ZONE, zone)
  await beginRecount(tx)
  await recordAudit(tx, { actor, action: 'settings.set_time_zone', target: 'reports', before: { zone: before }, after: { zone } }, at)
}
