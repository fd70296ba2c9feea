import { listHistory, type MerchantAccount } from '../../gateways/index.ts'
import type { PastEvent } from './past-event.ts'

/** The past of a merchant account at its gateway; `undefined` where the gateway's API lists none. */
export async function listPastEvents(account: MerchantAccount, deps: Parameters<typeof listHistory>[1]): Promise<PastEvent[] | undefined> {
  const history = await listHistory(account, deps)
  return history?.map(({ at, names, record }, i) => ({
    line: i + 1,
    at,
    names,
    async record(tx, deps) {
      const recorded = await record(tx, deps)
      if (typeof recorded === 'string') return { outcome: recorded === 'recorded' ? 'test' : recorded }
      return 'why' in recorded ? { outcome: 'pending', ...recorded } : { outcome: 'applied', ...recorded }
    },
  }))
}
