import { type Actor, recordAudit } from '../../audit/index.ts'
import type { Announce, ChangeFeed } from '../../changes/index.ts'
import { constantTimeEqual, MINUTE_MS, mintSecret, type Now, sha256Hex } from '../../kit/index.ts'
import { type Queryable, readSetting, type Storage, type Transaction, takeSetting, writeSetting } from '../../storage/index.ts'
import { linkPurchases } from '../../subscriptions/index.ts'
import { administratorStore, changeUser, holdFirstFactor, insertUser, type User, userStore } from '../../users/index.ts'

/** The life of the one-time address. */
const SETUP_LINK_MS = 30 * MINUTE_MS
/** One setting holds it: its end, and the hash of its secret. So there is never more than one. */
const SETTING = 'setup_link'

interface MintDeps {
  storage: Storage
  baseUrl: string
  now: Now
  actor: Actor
}

/**
 * Makes the address that leads to the first administrator's account; it replaces the one before. It is shown this once; `expiresAt` in ms.
 */
export async function mintSetupLink({
  storage,
  baseUrl,
  now,
  actor,
}: MintDeps): Promise<{ url: string; expiresAt: number } | { refusal: 'has_administrator' }> {
  const token = mintSecret()
  const at = now()
  const expiresAt = at + SETUP_LINK_MS
  return storage.transaction(async (tx) => {
    if (await administratorStore(tx).hasAdministrator()) return { refusal: 'has_administrator' }
    await writeSetting(tx, SETTING, `${expiresAt}.${sha256Hex(token)}`)
    await recordAudit(tx, { actor, action: 'setup_link.create', target: SETTING, after: { expiresAt } }, at)
    return { url: `${baseUrl}/setup?token=${token}`, expiresAt }
  })
}

/** Whether the secret is still valid. This does not use it up. */
export async function isSetupLink(db: Queryable, token: string, now: Now): Promise<boolean> {
  return (await findLink(db, token, now)) !== undefined && !(await administratorStore(db).hasAdministrator())
}

async function findLink(db: Queryable, token: string, now: Now): Promise<string | undefined> {
  const link = await readSetting(db, SETTING)
  const [expiresAt = '', hash = ''] = link?.split('.', 2) ?? []
  return constantTimeEqual(hash, sha256Hex(token)) && Number(expiresAt) > now() ? link : undefined
}

/** The first administrator: a new user, or the user of an account whose password was just checked. */
export type FirstOwner =
  | { kind: 'new'; name: string; email: string; passwordHash: string }
  | { kind: 'known'; id: string; passwordHash: string }

export type SetupRefusal = { refusal: 'link_gone' | 'account_changed' }

interface SetUpDeps {
  storage: Storage
  changes: ChangeFeed
  now: Now
  /** The address that the request came from. */
  ip: string
}

/**
 * Uses the link up and makes the first owner, in one transaction: of any number of concurrent calls, on any nodes, exactly one gets an
 * account. `account_changed`: since it was read, the address got an account, or the account another password; the link is still valid.
 */
export function setUpOwner(token: string, owner: FirstOwner, { storage, changes, now, ip }: SetUpDeps): Promise<User | SetupRefusal> {
  const actor = { name: 'operator:setup-link', ip }
  return changes.transaction(async (tx, announce) => {
    const link = await findLink(tx, token, now)
    if (link === undefined || !(await takeSetting(tx, SETTING, link))) return { refusal: 'link_gone' }
    if (await administratorStore(tx).hasAdministrator()) return { refusal: 'link_gone' }
    const made = await (owner.kind === 'new' ? insert(tx, owner, { now, actor }) : promote(tx, owner, { announce, now, actor }))
    if (!made) {
      await writeSetting(tx, SETTING, link)
      return { refusal: 'account_changed' }
    }
    await linkPurchases(tx, made.id, { announce, storage })
    await recordAudit(tx, { actor, action: 'setup_link.use', target: made.id }, now())
    return made
  })
}

async function insert(
  tx: Transaction,
  { kind: _, ...user }: Extract<FirstOwner, { kind: 'new' }>,
  deps: { now: Now; actor: Actor },
): Promise<User | undefined> {
  const made = await insertUser(tx, { ...user, role: 'owner', verified: true, isProducer: false, isBeta: false }, deps)
  return 'refusal' in made ? undefined : made
}

/** The account, held until the transaction ends, if the checked password is still its own. */
async function promote(
  tx: Transaction,
  { id, passwordHash }: Extract<FirstOwner, { kind: 'known' }>,
  deps: { announce: Announce; now: Now; actor: Actor },
): Promise<User | undefined> {
  const user = (await holdFirstFactor(tx, id, { kind: 'password', passwordHash })) ? await userStore(tx).findById(id) : undefined
  const changed = user && (await changeUser(tx, user, { role: 'owner', verified: true }, deps))
  return changed && !('refusal' in changed) ? changed : undefined
}
