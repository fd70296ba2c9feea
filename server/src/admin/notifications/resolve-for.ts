import type { About, ResolveDeps } from '../../notifications/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { userStore } from '../../users/index.ts'
import { type Caller, refuseImpersonationOf } from '../api/caller.ts'
import type { Refused } from '../api/refusals.ts'

/**
 * Runs `work` with a question for the transaction in which a notification is settled: may the caller act on those whose purchase it is?
 * What somebody with power has bought, or is to have, is not everybody's to settle; it is known only once it is settled, and rolled back
 * then.
 */
export async function resolveFor<T>(
  caller: Caller,
  work: (approve: NonNullable<ResolveDeps['approve']>) => Promise<T>,
): Promise<T | Refused> {
  class NotForCaller extends Error {
    readonly refused: Refused
    constructor(refused: Refused) {
      super(refused.refusal)
      this.refused = refused
    }
  }
  try {
    return await work(async (tx, about) => {
      for (const role of await rolesOf(tx, about)) {
        const refused = refuseImpersonationOf(caller, role)
        if (refused) throw new NotForCaller(refused)
      }
    })
  } catch (error) {
    if (error instanceof NotForCaller) return error.refused
    throw error
  }
}

async function rolesOf(tx: Transaction, { userIds, emails }: About) {
  const users = userStore(tx)
  const byId = await users.listByIds(userIds)
  const byAddress = await Promise.all(emails.map((email) => users.findByEmail(email)))
  return [...byId, ...byAddress].map((user) => user?.role)
}
