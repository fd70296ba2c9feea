import { type UserDetails as PlainDetails, readNames, readUserDetails, subscriptionJson, userDetailsJson } from '../admin/index.ts'
import type { AppContext } from '../app.ts'
import { isoTime } from '../kit/index.ts'
import { subscriptionStore } from '../subscriptions/index.ts'
import type { Account } from '../users/index.ts'
import { fields, table } from './output.ts'
import { subscriptionLine } from './subscription-view.ts'

export interface UserDetails extends PlainDetails {
  /** The newest first. */
  subscriptions: Array<{ json: ReturnType<typeof subscriptionJson>; line: string }>
}

const MAX_SHOWN = 100

/** An account with what is kept elsewhere about it. */
export async function readDetails(account: Account, context: AppContext): Promise<UserDetails> {
  return { ...(await readUserDetails(account, context)), subscriptions: await readSubscriptions(account, context) }
}

async function readSubscriptions({ id }: Account, context: AppContext): Promise<UserDetails['subscriptions']> {
  const found = await subscriptionStore(context.storage.db).list({ userId: id, limit: MAX_SHOWN })
  if (found.length === 0) return []
  const names = await readNames(context)
  const at = context.now()
  return found.map((one) => ({ json: subscriptionJson(one, names, at), line: subscriptionLine(one, names, at) }))
}

export function detailsJson({ subscriptions, ...details }: UserDetails) {
  return { ...userDetailsJson(details), subscriptions: subscriptions.map(({ json }) => json) }
}

export function userTable(accounts: readonly Account[]): string {
  if (accounts.length === 0) return 'No users.'
  return table(
    ['id', 'email', 'name', 'role', 'state'],
    accounts.map((account) => [account.id, account.email, account.name, account.role ?? '', stateOf(account)]),
  )
}

export function userFields({ account, taxId, hasSecondFactor, passkeys, liveSessions, planSlug, subscriptions }: UserDetails): string {
  return fields([
    ['id', account.id],
    ['email', `${account.email}${account.emailVerifiedAt === undefined ? ' (not verified)' : ''}`],
    ['name', account.name],
    ['state', stateOf(account)],
    ['role', account.role],
    ['password', account.passwordHash === undefined ? 'none' : 'set'],
    ['second factor', hasSecondFactor ? 'on' : 'off'],
    ['passkeys', String(passkeys)],
    ['live sessions', String(liveSessions)],
    ['plan', planSlug ?? 'none'],
    ['subscriptions', subscriptions.length === 0 ? 'none' : subscriptions.map(({ line }) => line)],
    ['producer', account.isProducer ? 'yes' : 'no'],
    ['beta user', account.beta ? betaState(account.beta.ndaAcceptedAt) : 'no'],
    ['tax id', taxId],
    ['phone', account.phone],
    ['company', account.companyName],
    ['rank', account.rankName],
    ['avatar', account.avatarUrl],
    ['verified at', isoTime(account.emailVerifiedAt) ?? undefined],
    ['disabled at', isoTime(account.disabledAt) ?? undefined],
    ['created at', isoTime(account.createdAt) ?? undefined],
  ])
}

function stateOf(account: Account): string {
  if (account.leavesAt !== undefined) return `asked to be deleted: gone after ${isoTime(account.leavesAt)}; undone by user enable`
  return account.disabledAt === undefined ? 'enabled' : 'disabled'
}

function betaState(ndaAcceptedAt: number | undefined): string {
  return ndaAcceptedAt === undefined ? 'yes, NDA not accepted yet' : `yes, NDA accepted ${isoTime(ndaAcceptedAt)}`
}
