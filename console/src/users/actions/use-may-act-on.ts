import { useMay, useMe } from '../../console-context.ts'
import type { AdminScope } from '../../roles.ts'
import type { User } from '../user.ts'

/** Whether the role allows an action on this very user: only an owner may act on administrators. */
export function useMayActOn({ role }: Pick<User, 'role'>, scope: AdminScope = 'users:write'): boolean {
  const isOwner = useMe().role === 'owner'
  const isAllowed = useMay(scope)
  return isAllowed && (role === null || isOwner)
}
