import { isoTime, maskPersonalId, type Now, type Sealer } from '../../kit/index.ts'
import { sessionStore } from '../../sessions/index.ts'
import type { Storage } from '../../storage/index.ts'
import { accessStore } from '../../subscriptions/index.ts'
import { type Account, findTaxId, hasSecondFactor, passkeyStore } from '../../users/index.ts'

/** A person as lists show them, on the command line and in the admin API alike. */
export function userJson(account: Account) {
  return {
    id: account.id,
    email: account.email,
    name: account.name,
    verified_at: isoTime(account.emailVerifiedAt),
    role: account.role ?? null,
    disabled_at: isoTime(account.disabledAt),
    deletion_due_at: isoTime(account.leavesAt),
    is_producer: account.isProducer,
    is_beta: account.beta?.ndaAcceptedAt !== undefined,
    beta: account.beta ? { nda_accepted_at: isoTime(account.beta.ndaAcceptedAt) } : null,
    avatar_url: account.avatarUrl ?? null,
    company_name: account.companyName ?? null,
    rank_name: account.rankName ?? null,
    phone: account.phone ?? null,
    has_password: account.passwordHash !== undefined,
    created_at: isoTime(account.createdAt),
  }
}

export interface UserDetails {
  account: Account
  /** Masked; `undefined` while there is none. */
  taxId: string | undefined
  /** `false` where one is registered that today's keys don't open. */
  isTaxIdReadable: boolean
  hasSecondFactor: boolean
  passkeys: number
  liveSessions: number
  /** The operator's plan that the person may use now. */
  planSlug: string | undefined
}

/** An account with what is kept elsewhere about it. */
export async function readUserDetails(
  account: Account,
  { storage, sealer, now }: { storage: Storage; sealer: Sealer; now: Now },
): Promise<UserDetails> {
  const taxId = await findTaxId(account, { storage, sealer })
  return {
    account,
    taxId: taxId === 'unreadable' ? 'registered, not readable' : taxId && maskPersonalId(taxId),
    isTaxIdReadable: taxId !== 'unreadable',
    hasSecondFactor: await hasSecondFactor(storage.db, account.id),
    passkeys: await passkeyStore(storage.db).countOfUser(account.id),
    liveSessions: await sessionStore(storage.db).countLive(account.id, now()),
    planSlug: (await accessStore(storage.db).findLivePlan(account.id, undefined, now()))?.slug,
  }
}

export function userDetailsJson({ account, taxId, hasSecondFactor, passkeys, liveSessions, planSlug }: UserDetails) {
  return {
    ...userJson(account),
    tax_id: taxId ?? null,
    second_factor: hasSecondFactor,
    passkeys,
    live_sessions: liveSessions,
    plan_slug: planSlug ?? null,
  }
}
