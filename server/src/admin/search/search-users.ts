import { hmacSha256, isUuid, type MasterKeys, parseTaxId, searchedTerms } from '../../kit/index.ts'
import { nationalPhone } from '../../notifications/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { type User, userStore } from '../../users/index.ts'
import { listUsers } from '../users/listing/user-list-store.ts'
import { searchStore } from './search-store.ts'

interface SearchDeps {
  db: Queryable
  masterKeys: MasterKeys
}

/** A page of the users whom a text names: by CPF or CNPJ, phone, id or id in another system, else by words of their names and addresses. */
export async function searchUsers(
  typed: string,
  { limit, cursor }: { limit: number; cursor?: string },
  { db, masterKeys }: SearchDeps,
): Promise<User[]> {
  const exact = [
    ...(await findByTaxId(typed, { db, masterKeys })),
    ...(await findByPhone(typed, db)),
    ...(await findByOwnId(typed, db)),
    ...(await findByExternalId(typed, db)),
  ]
  if (exact.length > 0) {
    const ordered = [...new Map(exact.map((user) => [user.id, user])).values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
    return ordered.filter(({ id }) => cursor === undefined || id > cursor).slice(0, limit)
  }
  // A number that nobody has is no part of a name.
  if (parseTaxId(typed)) return []
  const after = cursor === undefined ? undefined : { id: cursor, value: cursor }
  return listUsers(db, { terms: searchedTerms(typed) }, { sort: 'created_at', direction: 'asc', after, limit })
}

/** By the keyed hash of a CPF or CNPJ. */
export async function findByTaxId(typed: string, { db, masterKeys }: SearchDeps): Promise<User[]> {
  const taxId = parseTaxId(typed)
  if (!taxId) return []
  const id = await searchStore(db).findUserByTaxId(hmacSha256(masterKeys.taxIdIndex, taxId.digits).toString('hex'))
  return id === undefined ? [] : userStore(db).listByIds([id])
}

/** By a Brazilian phone, however it is written. */
export async function findByPhone(typed: string, db: Queryable): Promise<User[]> {
  const phone = nationalPhone(typed)
  return phone === undefined ? [] : userStore(db).listByIds(await searchStore(db).findUsersByPhone([`+55${phone}`, `+${phone}`]))
}

export async function findByExternalId(typed: string, db: Queryable): Promise<User[]> {
  const user = await userStore(db).findByExternalId(typed)
  return user ? [user] : []
}

async function findByOwnId(typed: string, db: Queryable): Promise<User[]> {
  const user = isUuid(typed) ? await userStore(db).findById(typed.toLowerCase()) : undefined
  return user ? [user] : []
}
