import { isUuid, normaliseEmail } from '../../../kit/index.ts'
import type { Queryable } from '../../../storage/index.ts'
import { type User, userStore } from '../../../users/index.ts'

/** A user by id or address. */
export async function findUser(db: Queryable, idOrEmail: string): Promise<User | undefined> {
  const users = userStore(db)
  return isUuid(idOrEmail) ? users.findById(idOrEmail) : users.findByEmail(normaliseEmail(idOrEmail) ?? '')
}
