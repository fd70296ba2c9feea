import { hmacSha256, type MasterKeys, searchTerms } from '../../kit/index.ts'
import { buyerDetailsIn, type Notification } from '../../notifications/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { searchTermStore, type User, userStore } from '../../users/index.ts'
import { searchStore } from '../search/search-store.ts'

/** Why a user may be the buyer, the strongest reason first. */
export const EVIDENCE = ['tax_id', 'phone', 'name'] as const
export type Evidence = (typeof EVIDENCE)[number]

export interface Suggestion {
  user: User
  because: Evidence[]
}

const MAX_SUGGESTED = 5

/** As the API answers it; viewers get none. */
export function suggestionJson({ user: { id, name, email }, because }: Suggestion) {
  return { id, name, email, because }
}

/** The users who may be the buyer of a notification, by its data: the same tax id, the same phone, all words of the name. */
export async function suggestUsers(
  notifications: ReadonlyArray<Pick<Notification, 'payload' | 'buyer'>>,
  { db, masterKeys }: { db: Queryable; masterKeys: Pick<MasterKeys, 'taxIdIndex'> },
): Promise<Suggestion[]> {
  const { taxIds, phones, names } = buyerDetailsIn(notifications.flatMap(({ payload, buyer }) => [parse(payload), parse(buyer)]))
  const found = searchStore(db)
  const byTaxId = await Promise.all(
    taxIds.map((digits) => found.findUserByTaxId(hmacSha256(masterKeys.taxIdIndex, digits).toString('hex'))),
  )
  const byPhone = phones.length === 0 ? [] : await found.findUsersByPhone(phones.flatMap((phone) => [`+55${phone}`, `+${phone}`]))
  const byName = (await Promise.all(names.map((name) => findByName(db, name)))).flat()
  const because = new Map<string, Evidence[]>()
  const add = (ids: readonly (string | undefined)[], evidence: Evidence) => {
    for (const id of new Set(ids)) if (id !== undefined) because.set(id, [...(because.get(id) ?? []), evidence])
  }
  add(byTaxId, 'tax_id')
  add(byPhone, 'phone')
  add(byName, 'name')
  const ids = [...because].sort(([, a], [, b]) => weight(b) - weight(a)).map(([id]) => id)
  const users = await userStore(db).listByIds(ids.slice(0, MAX_SUGGESTED))
  return users.map((user) => ({ user, because: because.get(user.id) ?? [] })).sort((a, b) => weight(b.because) - weight(a.because))
}

/** A tax id weighs more than a phone and a name together. */
function weight(because: readonly Evidence[]): number {
  return because.reduce((sum, evidence) => sum + 2 ** (EVIDENCE.length - EVIDENCE.indexOf(evidence)), 0)
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
