import {
  isAnyPreparing,
  listUserScans,
  lookAndScan,
  makeReady,
  OPERATOR,
  recordEvent,
  scanUsers,
  scrubEventsOf,
} from '../../app-events/index.ts'
import { type Now, sha256Hex } from '../../kit/index.ts'
import type { Queryable, Storage, Transaction } from '../../storage/index.ts'
import { userStore } from '../store.ts'
import type { User } from '../user.ts'
import { isAnyHearing, type Known, listDue, putReported, type Reported, removeReported, takeDue } from './report-users-store.ts'

export interface ReportUsersDeps {
  storage: Storage
  now: Now
  /** The scopes of a product as far as a user has agreed to them; `undefined`: there is no such product. */
  sharedScopes: (known: Known, db: Queryable) => Promise<readonly string[] | undefined>
}

const SCAN_PORTION = 200

/**
 * Looks at the next users who may have changed, for each product that knows them and for the operator, and records an event where what that
 * one may see has changed (decision 167). `more`: others wait. Any number of nodes may do it at once.
 */
export async function reportUsers(deps: ReportUsersDeps): Promise<{ looked: number; more: boolean }> {
  const { storage, now } = deps
  if (!(await isAnyHearing(storage.db))) return { looked: 0, more: false }
  const did = await lookAndScan(
    (limit) => listDue(storage.db, limit),
    (known) => storage.transaction((tx) => report(tx, known, deps)),
    () => scan(storage),
  )
  if (!did.more && (await isAnyPreparing(storage.db))) await makeReady(storage.db, now())
  return did
}

/** Marks one portion of a scan, the last one of others that are through. Answers whether there are more. */
async function scan(storage: Storage): Promise<boolean> {
  for (const productId of await listUserScans(storage.db)) {
    const given = { productId, size: SCAN_PORTION, address: storage.address }
    if ((await storage.transaction((tx) => scanUsers(tx, given))) === 'more') return true
  }
  return false
}

/** Reports one user. The row is held: of two concurrent changes the later report sees both. */
async function report(tx: Transaction, known: Known, { now, sharedScopes }: ReportUsersDeps): Promise<void> {
  const before = await takeDue(tx, known)
  if (!before) return
  const isOperator = known.productId === OPERATOR
  const scopes = isOperator ? ['read:email', 'read:profile'] : await sharedScopes(known, tx)
  const user = await userStore(tx).findById(known.userId)
  if (!user || !scopes) return removeReported(tx, known)
  const sight = { email: scopes.includes('read:email'), profile: scopes.includes('read:profile') }
  // A product must not receive data that it may no longer see by a delivery that waits, or by a replay.
  if (seesLess(before.state, sight)) await scrubEventsOf(tx, known.userId, known.productId)
  await compare(tx, known, { before, sight, shown: shownOf(user, sight), at: now() })
}

/** The kinds of fields that an app may see of a user. */
interface Sight {
  email: boolean
  profile: boolean
}

/** The fields of a user that an app may see; null for those that it may not see. */
function shownOf(user: User, { email, profile }: Sight) {
  return {
    email: email ? user.email : null,
    email_verified: email ? user.emailVerifiedAt !== undefined : null,
    name: profile ? user.name : null,
    avatar_url: profile ? (user.avatarUrl ?? null) : null,
    company_name: profile ? (user.companyName ?? null) : null,
    rank_name: profile ? (user.rankName ?? null) : null,
  }
}

/** The kinds of fields that could be seen, and a hash of the fields that were. No data of the user is kept. */
function stateOf({ email, profile }: Sight, shown: ReturnType<typeof shownOf>): string {
  return `${email ? 'email' : ''},${profile ? 'profile' : ''},${sha256Hex(JSON.stringify(shown))}`
}

/** Whether earlier events may have a field that can't be seen any more. Where the state is not known they may have any. */
function seesLess(state: string | undefined, { email, profile }: Sight): boolean {
  if (state === undefined) return !email || !profile
  const [hadEmail = '', hadProfile = ''] = state.split(',')
  return (hadEmail !== '' && !email) || (hadProfile !== '' && !profile)
}

async function compare(
  tx: Transaction,
  known: Known,
  { before, sight, shown, at }: { before: Reported; sight: Sight; shown: ReturnType<typeof shownOf>; at: number },
): Promise<void> {
  const state = stateOf(sight, shown)
  if (before.state === state) return
  if (before.state === undefined) return putReported(tx, known, { sequence: before.sequence, state })
  // The time of day, so that numbers rise after a restored backup too.
  const sequence = Math.max(before.sequence + 1, at)
  await putReported(tx, known, { sequence, state })
  const productId = known.productId === OPERATOR ? undefined : known.productId
  const data = { sequence, product_id: productId ?? null, user_id: known.userId, ...shown }
  const type = before.state === '' ? 'user.created' : 'user.updated'
  await recordEvent(tx, { type, productId, subject: known.userId, sequence, data }, at)
}
