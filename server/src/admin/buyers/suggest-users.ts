import { hmacSha256, type MasterKeys, normaliseEmail, searchTerms } from '../../kit/index.ts'
import { buyerDetailsIn, type Notification } from '../../notifications/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { searchTermStore, type User, userStore } from '../../users/index.ts'
import { type Caller, mayAlso } from '../api/caller.ts'
import { searchStore } from '../search/search-store.ts'
import { buyerMatchStore } from './buyer-match-store.ts'
import { createEvidence, type Evidence } from './evidence.ts'
import { nearbyAddresses } from './nearby-addresses.ts'

export interface Suggestion {
  user: User
  because: Evidence[]
}

const MAX_SUGGESTED = 5
/** The most addresses of one purchase: a buyer uses no more for it. */
const MAX_ADDRESSES = 2

/** Viewers are suggested nobody, and neither is a script that reads no users: a suggestion says who has a tax id or a phone. */
export function mayBeSuggested(caller: Caller): boolean {
  return caller.role !== 'viewer' && mayAlso(caller, 'users:read')
}

/** A suggestion in the API's form. */
export function suggestionJson({ user: { id, name, email, emailVerifiedAt }, because }: Suggestion) {
  return { id, name, email, verified: emailVerifiedAt !== undefined, because }
}

/** The known data of a purchase whose buyer is not known. */
interface Bought {
  notifications: ReadonlyArray<Pick<Notification, 'payload' | 'buyer' | 'subject'>>
  /** The addresses that its sender names. */
  emails: ReadonlyArray<string | undefined>
}

interface SuggestDeps {
  db: Queryable
  masterKeys: Pick<MasterKeys, 'taxIdIndex'>
}

/**
 * The users who may be the buyer of a purchase, by its data: the same tax id, the same address or one that is nearly the same, the same
 * phone, all words of the name.
 */
export async function suggestUsers({ notifications, emails }: Bought, { db, masterKeys }: SuggestDeps): Promise<Suggestion[]> {
  const { taxIds, phones, names } = buyerDetailsIn(notifications.flatMap(({ payload, buyer }) => [parse(payload), parse(buyer)]))
  const found = searchStore(db)
  const evidence = createEvidence()
  const { add } = evidence
  for (const digits of taxIds) add([await found.findUserByTaxId(hmacSha256(masterKeys.taxIdIndex, digits).toString('hex'))], 'tax_id')
  for (const email of addressesOf({ notifications, emails })) {
    const matches = buyerMatchStore(db)
    add(await matches.findUsersByAddress([email]), 'address')
    add(await matches.findUsersByAddress(nearbyAddresses(email)), 'nearby_address')
    add(await matches.findUsersByMailboxName(email), 'mailbox_name')
  }
  add(phones.length === 0 ? [] : await found.findUsersByPhone(phones.flatMap((phone) => [`+55${phone}`, `+${phone}`])), 'phone')
  add((await Promise.all(names.map((name) => findByName(db, name)))).flat(), 'name')
  const likely = evidence.strongest(new Set(evidence.ids()), MAX_SUGGESTED)
  const users = new Map((await userStore(db).listByIds(likely.map(([id]) => id))).map((user) => [user.id, user]))
  return likely.flatMap(([id, because]) => {
    const user = users.get(id)
    return user ? [{ user, because }] : []
  })
}

function addressesOf({ notifications, emails }: Bought): string[] {
  const named = [...emails, ...notifications.map(({ subject }) => subject)]
  return [...new Set(named.flatMap((text) => (text === undefined ? [] : (normaliseEmail(text) ?? mistyped(text) ?? []))))].slice(
    0,
    MAX_ADDRESSES,
  )
}

/** A text that is no address because of a slip, as `ana@exemplo,com`; `undefined` where it can't be one. */
function mistyped(text: string): string | undefined {
  const typed = text.trim().toLowerCase()
  return typed.includes('@') && !/\p{Cc}/u.test(typed) ? typed : undefined
}

/** The users with all words of a name; one word is not enough, and common words identify nobody. */
async function findByName(db: Queryable, name: string): Promise<string[]> {
  const terms = searchTerms(name)
  if (terms.length < 2) return []
  const owners = await Promise.all(terms.map((term) => searchTermStore(db).findByTerm(term)))
  const [first, ...others] = owners.filter((ids) => ids !== 'common').sort((a, b) => a.length - b.length)
  return (first ?? []).filter((id) => others.every((ids) => ids.includes(id)))
}

function parse(json: string | undefined): unknown {
  try {
    return json === undefined ? undefined : JSON.parse(json)
  } catch {
    return undefined
  }
}
