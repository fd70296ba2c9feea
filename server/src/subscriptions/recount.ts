import { type Transaction, writeSetting } from '../storage/index.ts'

/** The setting with the last stream that a recount has marked. None: there is no recount. */
export const RECOUNT = 'reports_recounted_until'

/** Has the reports count every subscription again, from the first on: it gives access for another time now, or its days are others. */
export async function beginRecount(tx: Transaction): Promise<void> {
  await writeSetting(tx, RECOUNT, '')
}
