import type { About, ResolveDeps } from '../../notifications/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { userStore } from '../../users/index.ts'
import { type Caller, refuseImpersonationOf } from '../api/caller.ts'
import type { Refused } from '../api/refusals.ts'

/** Thrown in a transaction whose purchase concerns a user that is not for the caller to act on. */
export class NotForCaller extends Error {
  readonly refused: Refused
  constructor(refused: Refused) {
    super(refused.refusal)
    this.refused = refused
  }
}

/**
 * Runs `work` with a check for its transaction: may the caller act on the users of this purchase? Not everybody may act on purchases of
 * administrators. The user is known only after the processing, which is rolled back if the check fails.
 */
export async function resolveFor<T>(
  caller: Caller,
  work: (approve: NonNullable<ResolveDeps['approve']>) => Promise<T>,
): Promise<T | Refused> {
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

/** Whether the caller may act on the purchases of every administrator at this moment. */
export function mayConcernRoles(caller: Caller): boolean {
  return refuseImpersonationOf(caller, 'owner') === undefined
}

/** The check of work that goes on without its caller: nothing that concerns a user with a role. */
export async function approveUnlessRole(tx: Transaction, about: About): Promise<void> {
  if ((await rolesOf(tx, about)).some((role) => role !== undefined)) throw new NotForCaller({ refusal: 'not_allowed' })
}

async function rolesOf(tx: Transaction, { userIds, emails }: About) {
  const users = userStore(tx)
  const byId = await users.listByIds(userIds)
  const byAddress = await Promise.all(emails.map((email) => users.findByEmail(email)))
  return [...byId, ...byAddress].map((user) => user?.role)
}
