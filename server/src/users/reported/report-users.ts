import { listUserScans, OPERATOR, recordEvent, scanUsers, scrubEventsOf } from '../../app-events/index.ts'
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

const AT_ONCE = 8
const PAGE = 128
const SCAN_PORTION = 200

/**
 * Looks at every user who may have changed, for each product that knows them and for the operator, and records an event where what that one
 * may see has changed (decision 167). Answers how many it looked at. Any number of nodes may do it at once.
 */
export async function reportUsers(deps: ReportUsersDeps): Promise<number> {
  const { storage } = deps
  if (!(await isAnyHearing(storage.db))) return 0
  let looked = await scan(storage)
  for (;;) {
    const due = await listDue(storage.db, PAGE)
    for (let from = 0; from < due.length; from += AT_ONCE) {
      const some = due.slice(from, from + AT_ONCE)
      await Promise.all(some.map((known) => storage.transaction((tx) => report(tx, known, deps))))
    }
    looked += due.length
    if (due.length < PAGE) return looked
  }
}

async function scan(storage: Storage): Promise<number> {
  let portions = 0
  for (const productId of await listUserScans(storage.db)) {
    const given = { productId, size: SCAN_PORTION, address: storage.address }
    while ((await storage.transaction((tx) => scanUsers(tx, given))) === 'more') portions++
  }
  return portions
}

/** The row is held: of two changes of one user the later look sees both. */
async function report(tx: Transaction, known: Known, { now, sharedScopes }: ReportUsersDeps): Promise<void> {
  const before = await takeDue(tx, known)
  if (!before) return
  const isOperator = known.productId === OPERATOR
  const scopes = isOperator ? ['read:email', 'read:profile'] : await sharedScopes(known, tx)
  const user = await userStore(tx).findById(known.userId)
  if (!user || !scopes) return removeReported(tx, known)
  await compare(tx, known, { before, shown: shownOf(user, scopes), at: now() })
}

/** The fields that one may see; null for those that one may not. */
function shownOf(user: User, scopes: readonly string[]) {
  const [email, profile] = [scopes.includes('read:email'), scopes.includes('read:profile')]
  return {
    email: email ? user.email : null,
    email_verified: email ? user.emailVerifiedAt !== undefined : null,
    name: profile ? user.name : null,
    avatar_url: profile ? (user.avatarUrl ?? null) : null,
    company_name: profile ? (user.companyName ?? null) : null,
    rank_name: profile ? (user.rankName ?? null) : null,
  }
}

/** A hash is kept, and nothing of the user. */
async function compare(
  tx: Transaction,
  known: Known,
  { before, shown, at }: { before: Reported; shown: ReturnType<typeof shownOf>; at: number },
): Promise<void> {
  const state = sha256Hex(JSON.stringify(shown))
  if (before.state === state) return
  if (before.state === undefined) return putReported(tx, known, { sequence: before.sequence, state })
  // The time of day, so that numbers rise after a restored backup too.
  const sequence = Math.max(before.sequence + 1, at)
  await putReported(tx, known, { sequence, state })
  const productId = known.productId === OPERATOR ? undefined : known.productId
  const data = { sequence, product_id: productId ?? null, user_id: known.userId, ...shown }
  // What the product may see no longer must not reach it by a delivery that waits, or by a replay.
  if (productId !== undefined && (shown.email === null || shown.name === null)) await scrubEventsOf(tx, known.userId, productId)
  const type = before.state === '' ? 'user.created' : 'user.updated'
  await recordEvent(tx, { type, productId, subject: known.userId, sequence, data }, at)
}
