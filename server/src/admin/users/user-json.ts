import { isoTime, maskPersonalId, type Now, type Sealer } from '../../kit/index.ts'
import { userSessionStore } from '../../sessions/index.ts'
import type { Storage } from '../../storage/index.ts'
import { livePlanStore } from '../../subscriptions/index.ts'
import { findTaxId, hasSecondFactor, passkeyStore, type User } from '../../users/index.ts'

/** A user as lists show them, on the command line and in the admin API alike. */
export function userJson(user: User) {
  return {
    id: user.id,
    external_id: user.externalId ?? null,
    email: user.email,
    name: user.name,
    verified_at: isoTime(user.emailVerifiedAt),
    role: user.role ?? null,
    disabled_at: isoTime(user.disabledAt),
    deletion_due_at: isoTime(user.leavesAt),
    is_producer: user.isProducer,
    is_beta: user.beta?.ndaAcceptedAt !== undefined,
    beta: user.beta ? { nda_accepted_at: isoTime(user.beta.ndaAcceptedAt) } : null,
    avatar_url: user.avatarUrl ?? null,
    company_name: user.companyName ?? null,
    rank_name: user.rankName ?? null,
    phone: user.phone ?? null,
    has_password: user.passwordHash !== undefined,
    created_at: isoTime(user.createdAt),
  }
}

export interface UserDetails {
  user: User
  /** Masked; `undefined` while there is none. */
  taxId: string | undefined
  /** `false`: there is one, and today's keys do not open it. */
  isTaxIdReadable: boolean
  hasSecondFactor: boolean
  passkeys: number
  liveSessions: number
  /** The operator's plan that the user has now. */
  planSlug: string | undefined
}

/** An account with its data in other tables. */
export async function readUserDetails(
  user: User,
  { storage, sealer, now }: { storage: Storage; sealer: Sealer; now: Now },
): Promise<UserDetails> {
  const taxId = await findTaxId(user, { storage, sealer })
  return {
    user,
    taxId: taxId === 'unreadable' ? 'registered, not readable' : taxId && maskPersonalId(taxId),
    isTaxIdReadable: taxId !== 'unreadable',
    hasSecondFactor: await hasSecondFactor(storage.db, user.id),
    passkeys: await passkeyStore(storage.db).countOfUser(user.id),
    liveSessions: await userSessionStore(storage.db).countLive(user.id, now()),
    planSlug: (await livePlanStore(storage.db).findLivePlan(user.id, undefined, now()))?.slug,
  }
}

export function userDetailsJson({ user, taxId, hasSecondFactor, passkeys, liveSessions, planSlug }: UserDetails) {
  return {
    ...userJson(user),
    tax_id: taxId ?? null,
    second_factor: hasSecondFactor,
    passkeys,
    live_sessions: liveSessions,
    plan_slug: planSlug ?? null,
  }
}
