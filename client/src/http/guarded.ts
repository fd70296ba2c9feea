import type { User } from '../user.ts'

/**
 * Whom each guarded request belongs to. Not a property of the request: it would be there, by its type, without a guard as well, and others
 * write there too.
 */
const users = new WeakMap<object, User>()

export function rememberUser(request: object, user: User): void {
  users.set(request, user)
}

/** The person of a request that has passed `requireUser`. Throws where the route has no such guard, so that forgetting it is no sign-in. */
export function getUser(request: object): User {
  const user = users.get(request)
  if (!user) throw new Error('getUser: this route has no requireUser in front of it')
  return user
}
