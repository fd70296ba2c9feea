import type { About, ResolveDeps } from '../../notifications/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { userStore } from '../../users/index.ts'
import { type Caller, refuseImpersonationOf } from '../api/caller.ts'
import type { Refused } from '../api/refusals.ts'

/**
 * Runs `work` with a check for its transaction: may the caller act on the users of this purchase? Not everybody may act on purchases of
 * administrators. The user is known only after the processing, which is rolled back if the check fails.
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
