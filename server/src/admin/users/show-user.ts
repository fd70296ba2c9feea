import { type User, type UserRefusal, userVersion } from '../../users/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import { refuseImpersonationOf } from '../api/caller.ts'
import type { AdminDeps } from '../api/deps.ts'
import type { Refused } from '../api/refusals.ts'
import { readUserDetails, userDetailsJson } from './user-json.ts'

export async function showUser(user: User, deps: AdminDeps): Promise<AdminAnswer> {
  const details = await readUserDetails(user, deps)
  const body = { ...userDetailsJson(details), tax_id_readable: details.isTaxIdReadable }
  return { body, version: userVersion(user) }
}

/** The user after an action. */
export function showUserAgain({ id }: User, deps: AdminDeps): Promise<AdminAnswer> {
  return withUser(id, deps, (user) => showUser(user, deps))
}

export async function withUser(id: string, { users }: AdminDeps, work: (user: User) => Promise<AdminAnswer>): Promise<AdminAnswer> {
  const user = await users.findById(id)
  return user ? work(user) : { refusal: 'not_found' }
}

/** The same for actions: not everybody may act on administrators. */
export function withTarget(
  call: Pick<AdminCall<unknown, unknown>, 'id' | 'caller'>,
  deps: AdminDeps,
  work: (user: User) => Promise<AdminAnswer>,
): Promise<AdminAnswer> {
  return withUser(call.id, deps, async (user) => refuseImpersonationOf(call.caller, user.role) ?? work(user))
}

/** A refusal of an action on a user, on the wire. */
export function refuseUser({ refusal }: UserRefusal): Refused {
  return userRefusals[refusal]
}

const userRefusals = {
  email_malformed: { refusal: 'malformed', fields: { email: 'email_malformed' } },
  email_taken: { refusal: 'malformed', fields: { email: 'email_taken' } },
  name_malformed: { refusal: 'malformed', fields: { name: 'name_malformed' } },
  avatar_malformed: { refusal: 'malformed', fields: { avatar_url: 'avatar_malformed' } },
  not_found: { refusal: 'not_found' },
  last_owner: { refusal: 'conflict', reason: 'last_owner' },
  changed_meanwhile: { refusal: 'changed_meanwhile' },
} as const satisfies Record<UserRefusal['refusal'], Refused>
