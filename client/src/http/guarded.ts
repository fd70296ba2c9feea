import type { User } from '../user.ts'

/**
 * The user of each guarded request. It is not a property of the request, since its type would promise it without a guard too, and other
 * code writes there.
 */
const users = new WeakMap<object, User>()

export function rememberUser(request: object, user: User): void {
  users.set(request, user)
}

/** The user of a request that has passed `requireUser`. Throws on a route without the guard, so that a forgotten guard is no sign-in. */
export function getUser(request: object): User {
  const user = users.get(request)
  if (!user) throw new Error('getUser: this route has no requireUser in front of it')
  return user
}
