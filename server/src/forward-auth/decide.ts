import type { Now } from '../kit/index.ts'
import type { ForwardedHost } from '../products/index.ts'
import type { LiveSession } from '../sessions/index.ts'
import type { Storage } from '../storage/index.ts'
import { livePlanStore } from '../subscriptions/index.ts'
import { nextStep, type UserStore } from '../users/index.ts'

/** Why a user who is signed in may not pass. */
export type EntryRefusal = 'profile_missing' | 'plan_missing'

export interface Entry {
  /** The user's address, once its mailbox has answered. */
  verifiedEmail: string | undefined
  /** The dearest plan that counts here, among those of the rule where it names some. */
  plan: string | undefined
  /** Ms; the plan may end then without an announcement. */
  until: number
}

export interface DecideDeps {
  users: Pick<UserStore, 'findById'>
  storage: Storage
  now: Now
}

/** Whether the user of a live session may enter a host now, by the profile that its product requires and its rule. */
export async function decideEntry(session: LiveSession, host: ForwardedHost, deps: DecideDeps): Promise<Entry | { refusal: EntryRefusal }> {
  const { users, storage, now } = deps
  const user = await users.findById(session.userId)
  // A declined NDA is asked again at a sign-in, and this is none. In an impersonation nobody fills in another's profile.
  const asked = { ndaDeclined: true, profileSkipped: false }
  if (!session.impersonation && (!user || nextStep(user, host.product.requirements, asked) !== 'done'))
    return { refusal: 'profile_missing' }
  const { access, plans } = host.rule
  const held = await livePlanStore(storage.db).listLivePlans(session.userId, host.product.id, now())
  const counting = access === 'plans' ? held.filter(({ slug }) => plans.includes(slug)) : held
  const [best] = counting
  const verifiedEmail = user?.emailVerifiedAt === undefined ? undefined : user.email
  if (!best)
    return access === 'signed_in' ? { verifiedEmail, plan: undefined, until: Number.POSITIVE_INFINITY } : { refusal: 'plan_missing' }
  return { verifiedEmail, plan: best.slug, until: best.until }
}
