import { type UserDetails as PlainDetails, readNames, readUserDetails, subscriptionJson, userDetailsJson } from '../../admin/index.ts'
import { subscriptionStore } from '../../subscriptions/index.ts'
import type { User } from '../../users/index.ts'
import { fields, type Text, table } from '../command/layout.ts'
import type { LocalTime } from '../command/local-time.ts'
import type { CommandContext } from '../command/open-context.ts'
import { subscriptionLine } from '../subscription/subscription-view.ts'

export interface UserDetails extends PlainDetails {
  /** The newest first. */
  subscriptions: Array<{ json: ReturnType<typeof subscriptionJson>; line: string }>
}

const MAX_SHOWN = 100

/** An account with its data in other tables. */
export async function readDetails(user: User, context: CommandContext): Promise<UserDetails> {
  return { ...(await readUserDetails(user, context)), subscriptions: await readSubscriptions(user, context) }
}

async function readSubscriptions({ id }: User, context: CommandContext): Promise<UserDetails['subscriptions']> {
  const found = await subscriptionStore(context.storage.db).list({ userId: id, limit: MAX_SHOWN })
  if (found.length === 0) return []
  const names = await readNames(context)
  const at = context.now()
  return found.map((one) => ({ json: subscriptionJson(one, names, at), line: subscriptionLine(one, names, at) }))
}

export function detailsJson({ subscriptions, ...details }: UserDetails) {
  return { ...userDetailsJson(details), subscriptions: subscriptions.map(({ json }) => json) }
}

export function userTable(users: readonly User[], { localTime }: Pick<CommandContext, 'localTime'>): Text {
  if (users.length === 0) return 'No users.'
  return table(
    ['id', 'email', 'name', 'role', 'state'],
    users.map((user) => [user.id, user.email, user.name, user.role ?? '', stateOf(user, localTime)]),
  )
}

export function userFields(details: UserDetails, { localTime }: Pick<CommandContext, 'localTime'>): string {
  const { user, taxId, hasSecondFactor, passkeys, liveSessions, planSlug, subscriptions } = details
  return fields([
    ['id', user.id],
    ['external id', user.externalId],
    ['email', `${user.email}${user.emailVerifiedAt === undefined ? ' (not verified)' : ''}`],
    ['name', user.name],
    ['state', stateOf(user, localTime)],
    ['role', user.role],
    ['password', user.passwordHash === undefined ? 'none' : 'set'],
    ['second factor', hasSecondFactor ? 'on' : 'off'],
    ['passkeys', String(passkeys)],
    ['live sessions', String(liveSessions)],
    ['plan', planSlug ?? noPlanText(subscriptions)],
    ['subscriptions', subscriptions.length === 0 ? 'none' : subscriptions.map(({ line }) => line)],
    ['producer', user.isProducer ? 'yes' : 'no'],
    ['beta user', user.beta ? betaState(user.beta.ndaAcceptedAt, localTime) : 'no'],
    ['tax id', taxId],
    ['phone', user.phone],
    ['company', user.companyName],
    ['rank', user.rankName],
    ['avatar', user.avatarUrl],
    ['verified at', localTime(user.emailVerifiedAt)],
    ['disabled at', localTime(user.disabledAt)],
    ['created at', localTime(user.createdAt)],
  ])
}

/** It is the plan of the operator, good for every internal product: plans of products stand among the subscriptions. */
function noPlanText(subscriptions: UserDetails['subscriptions']): string {
  return subscriptions.some(({ json }) => json.product !== null) ? "none of the operator's; those of products stand below" : 'none'
}

function stateOf(user: User, localTime: LocalTime): string {
  if (user.leavesAt !== undefined) return `asked to be deleted: gone after ${localTime(user.leavesAt)}; undone by user enable`
  return user.disabledAt === undefined ? 'enabled' : 'disabled'
}

function betaState(ndaAcceptedAt: number | undefined, localTime: LocalTime): string {
  return ndaAcceptedAt === undefined ? 'yes, NDA not accepted yet' : `yes, NDA accepted ${localTime(ndaAcceptedAt)}`
}
